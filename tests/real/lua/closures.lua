-- Functions: closures and upvalues shared and closed, varargs, tail calls, goto, to-be-closed variables.
local function counter()
  local n = 0
  return function() n = n + 1; return n end, function() return n end, function(v) n = v end
end
local up, get, set = counter()
for _ = 1, 1000 do up() end
set(get() * 2)
print(up(), get())

local list = {}
for i = 1, 200 do list[i] = function(x) i = i + x; return i end end
local total = 0
for round = 1, 50 do for i = 1, #list do total = total + list[i](round) end end
print(total)

local function compose(...)
  local functions = table.pack(...)
  return function(...)
    local values = table.pack(...)
    for i = functions.n, 1, -1 do values = table.pack(functions[i](table.unpack(values, 1, values.n))) end
    return table.unpack(values, 1, values.n)
  end
end
print(compose(math.abs, function(a, b) return a - b end, function(a) return a, a * a end)(12))

local function tail(n, ...) if n == 0 then return select("#", ...), ... end return tail(n - 1, n % 7, ...) end
print(pcall(tail, 150))
local function forever(n) if n == 0 then return "done" end return forever(n - 1) end
print(forever(300000))

local function Y(f) return (function(x) return x(x) end)(function(x) return f(function(...) return x(x)(...) end) end) end
print(Y(function(self) return function(n) return n < 2 and n or self(n - 1) + self(n - 2) end end)(20))

local memo = setmetatable({}, {__mode = "k"})
local function fib(n) if n < 2 then return n end if not memo[n] then memo[n] = fib(n - 1) + fib(n - 2) end return memo[n] end
print(fib(80))

local log = {}
local function resource(name)
  return setmetatable({}, {__close = function(_, e) log[#log + 1] = name .. (e and "!" or "") end})
end
do
  local a <close> = resource("a")
  local b <close> = resource("b")
  local c <const> = 3
  log[#log + 1] = "body" .. c
end
pcall(function() local a <close> = resource("c"); error("out") end)
for i = 1, 3 do local r <close> = resource("loop" .. i); if i == 2 then goto continue end log[#log + 1] = "i" .. i ::continue:: end
print(table.concat(log, " "))

local source = {}
for i = 1, 400 do source[i] = string.format("local function f%d(x) return x * %d + %d end\nr[%d] = f%d(%d)\n", i % 150, i, i, i, i % 150, i) end
local chunk = {}
for i = 1, #source do chunk[i] = "do " .. source[i] .. " end " end
local r = {}
assert(load(table.concat(chunk), "=generated", "t", {r = r}))()
local sum = 0
for _, v in ipairs(r) do sum = sum + v end
print(#r, sum, load("return +", "=bad"))
local dumped = string.dump(function(a, b) local c = a .. b; return function() return c end end)
print(#dumped > 50, load(dumped, "=dumped", "b")("x", "y")())
