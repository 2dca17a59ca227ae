-- Metatables: classes, operators, proxies, iteration; large tables; a priority queue and a JSON round trip on top.
local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({x = x, y = y}, Vector) end
for name, f in pairs {add = function(a, b) return a + b end, sub = function(a, b) return a - b end, mul = function(a, b) return a * b end} do
  Vector["__" .. name] = function(a, b)
    if type(a) == "number" then a = vector(a, a) end
    if type(b) == "number" then b = vector(b, b) end
    return vector(f(a.x, b.x), f(a.y, b.y))
  end
end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__lt = function(a, b) return a.x < b.x end
Vector.__le = function(a, b) return a.x <= b.x end
Vector.__len = function() return 2 end
Vector.__call = function(self, k) return self[k] end
Vector.__tostring = function(v) return "(" .. v.x .. ", " .. v.y .. ")" end
Vector.__concat = function(a, b) return tostring(a) .. tostring(b) end
local v = vector(0, 1)
for i = 1, 5000 do v = v * 3 + vector(i, -i) - 1; v.x = v.x % 10007; v.y = v.y % 10007 end
print(tostring(v), v == vector(v.x, v.y), v < vector(20000, 0), #v, v("x"), v .. "!" .. v)

local Base = {}
Base.__index = Base
function Base.new(class, ...) local o = setmetatable({}, class); o:init(...); return o end
function Base:init(n) self.n = n end
function Base:value() return self.n end
local previous = Base
for i = 1, 40 do
  local class = setmetatable({}, {__index = previous})
  class.__index = class
  local super = previous
  function class:value() return super.value(self) + i end
  previous = class
end
print(Base.new(previous, 5):value())

local log = {}
local proxy = setmetatable({}, {__index = function(_, k) log[#log + 1] = "get " .. tostring(k); return k end,
  __newindex = function(t, k, value) log[#log + 1] = "set " .. tostring(k); rawset(t, k, value) end,
  __pairs = function() return function(_, k) k = (k or 0) + 1; if k < 4 then return k, k * k end end, nil, nil end})
proxy.a = proxy.b; proxy.a = 2; proxy[1] = proxy[2]
for k, value in pairs(proxy) do log[#log + 1] = k .. "=" .. value end
print(table.concat(log, "; "))

local big, sum = {}, 0
for i = 1, 60000 do big[i] = i; big["k" .. i] = i; big[i + 0.5] = true end
for i = 1, 60000, 2 do big[i] = nil; big["k" .. i] = nil end
for k, value in pairs(big) do if type(k) == "string" then sum = sum + value end end
print(sum, next({}), rawlen({1, 2, 3}), #table.pack(table.unpack({1, 2, 3}, 1, 3)))
print(table.concat(table.move({1, 2, 3, 4, 5}, 2, 5, 4, {0, 0, 0}), " "), table.remove({1, 2, 3}, 1))

local heap = {}
local function push(x) local i = #heap + 1; heap[i] = x
  while i > 1 and heap[i // 2] > heap[i] do heap[i], heap[i // 2] = heap[i // 2], heap[i]; i = i // 2 end end
local function pop() local top = heap[1]; heap[1] = heap[#heap]; heap[#heap] = nil
  local i = 1
  while true do local c = 2 * i; if c > #heap then break end
    if c < #heap and heap[c + 1] < heap[c] then c = c + 1 end
    if heap[i] <= heap[c] then break end
    heap[i], heap[c] = heap[c], heap[i]; i = c end
  return top end
for i = 1, 5000 do push((i * 7919) % 5003) end
local last, ordered = -1, true
for _ = 1, 5000 do local x = pop(); ordered = ordered and x >= last; last = x end
print(ordered, last)

local function encode(x)
  if type(x) == "table" then
    local parts = {}
    if #x > 0 then for i = 1, #x do parts[i] = encode(x[i]) end return "[" .. table.concat(parts, ",") .. "]" end
    local keys = {}
    for k in pairs(x) do keys[#keys + 1] = k end
    table.sort(keys)
    for i, k in ipairs(keys) do parts[i] = string.format("%q:%s", k, encode(x[k])) end
    return "{" .. table.concat(parts, ",") .. "}"
  end
  return type(x) == "string" and string.format("%q", x) or tostring(x)
end
local function decode(s)
  local expression = s:gsub("\"(%w+)\":", "[\"%1\"]="):gsub("%[([^%]\"][^%]]*)%]", "{%1}")
  return load("return " .. expression)()
end
local tree = {name = "root", items = {1, 2, 3}, sub = {deep = {x = 1.5, y = "text"}, flag = true}}
local text = encode(tree)
print(text, encode(decode(text)) == text)
