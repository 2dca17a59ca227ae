-- Errors: every one is a longjmp.  Nested pcall, handlers, errors in handlers, stack overflow, rethrow.
local function level(n)
  if n == 0 then error("at the bottom") end
  local ok, e = pcall(level, n - 1)
  error(e .. "<" .. n, 0)
end
print(select(2, pcall(level, 60)))

local caught = 0
for i = 1, 30000 do
  local ok, e = pcall(function(x) if x % 3 == 0 then error({x}) elseif x % 3 == 1 then return nil + x else return x end end, i)
  if not ok then caught = caught + (type(e) == "table" and 2 or 1) end
end
print(caught)

print(xpcall(function() local t = nil; return t.field end, function(m) return "handled: " .. m end))
print(xpcall(function() error("first") end, function(m) error("second") end))
print(xpcall(error, debug.traceback and function(m) return (debug.traceback(m, 1):gsub("\n.*", "")) end, "message", 0))
print(pcall(function() local function f() return 1 + f() end return f() end))
print(select("#", pcall(error)))
print(pcall(error, nil), pcall(error, 42), pcall(error, setmetatable({}, {__tostring = function() return "object" end})))

for _, source in ipairs {"x = = 1", "for i = 1 do end", "local x <const> = 1; x = 2", "goto nowhere", "return 'unfinished",
                         "break", "local function f( end", "::a:: ::a::", "x = }", "return 0x"} do
  print(load(source, "=source"))
end
for _, f in ipairs {function() return {} < {} end, function() return #nil end, function() return ("x")() end,
                    function() return 1 // 0 end, function() return 1 < "2" end, function() return {} .. "x" end,
                    function() local a; a.b.c = 1 end, function() return math.tointeger("x") end,
                    function() return 2^53 | 0.5 end, function() string.rep() end, function() setmetatable(1, {}) end,
                    function() for i = 1, 10, 0 do end end, function() rawset(nil, 1, 1) end, function() return nil > 1 end} do
  print(pcall(f))
end

local depth = 0
local chain = setmetatable({}, {__index = function(_, k) depth = depth + 1; if depth > 150 then error("deep " .. k) end return pcall(rawget, nil, k) end})
print(chain.a, depth)
print(pcall(function() local t = setmetatable({}, {}); getmetatable(t).__index = t; return t.x end))
local unwound = {}
for i = 1, 200 do
  pcall(function()
    local a <close> = setmetatable({}, {__close = function() unwound[#unwound + 1] = i end})
    local b <close> = setmetatable({}, {__close = function(_, e) if i % 50 == 0 then error("closing " .. i) end end})
    error("body " .. i)
  end)
end
print(#unwound, unwound[200])
warn("@on"); warn("a warning ", "in two parts")
io.stderr:write("to stderr\n")
error({code = 3}) -- leaves with status 1
