-- Calls, closures and integer arithmetic: the interpreter's loop.
local n = tonumber(arg and arg[1]) or 30
local function fib(k) if k < 2 then return k end return fib(k - 1) + fib(k - 2) end
print(fib(n))
local sum = 0
for i = 1, 40000 * n do
  local add = function(x) return x + i end
  sum = (sum + add(i)) % 1000003
end
print(sum)
