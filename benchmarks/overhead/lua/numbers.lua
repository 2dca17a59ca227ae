-- Floating point over arrays: stores of numbers in tables, no pointers.
local n = tonumber(arg and arg[1]) or 100
local u, v = {}, {}
for i = 1, n do u[i] = 1 end
local function a(i, j) local s = i + j; return 1 / (s * (s + 1) // 2 + i + 1) end
local function multiply(x, y)
  for i = 1, n do local s = 0; for j = 1, n do s = s + a(i - 1, j - 1) * x[j] end y[i] = s end
end
for _ = 1, 20 do multiply(u, v); multiply(v, u) end
local uv, vv = 0, 0
for i = 1, n do uv = uv + u[i] * v[i]; vv = vv + v[i] * v[i] end
print(string.format("%.9f", math.sqrt(uv / vv)))
