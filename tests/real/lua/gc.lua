-- The collector under stress: every mode, weak tables, ephemerons, finalisers and resurrection.
local function churn(rounds)
  local keep, sum = {}, 0
  for i = 1, rounds do
    local node = {value = i, name = "n" .. i, children = {}}
    for j = 1, i % 5 do node.children[j] = {parent = node, j} end
    keep[i % 97 + 1] = node
    sum = (sum * 17 + #node.children + #node.name) % 1000003
  end
  return sum, #keep
end
for _, mode in ipairs {{"incremental", 100, 200}, {"generational", 10, 50}, {"incremental", 50, 1000}, {"generational", 5, 20}} do
  collectgarbage(table.unpack(mode))
  print(mode[1], churn(12000))
end
collectgarbage("incremental")

local weak, strong = setmetatable({}, {__mode = "v"}), {}
for i = 1, 1000 do local t = {i}; weak[i] = t; if i % 10 == 0 then strong[#strong + 1] = t end end
collectgarbage()
local left = 0
for _ in pairs(weak) do left = left + 1 end
print("weak values left", left)

local ephemeron = setmetatable({}, {__mode = "k"})
local keys = {}
for i = 1, 500 do local k = {}; ephemeron[k] = {k, i}; if i <= 20 then keys[i] = k end end
collectgarbage()
left = 0
for k, v in pairs(ephemeron) do assert(v[1] == k); left = left + 1 end
print("ephemerons left", left)

local finalised, resurrected = 0, {}
for i = 1, 600 do
  setmetatable({i}, {__gc = function(o) finalised = finalised + 1; if o[1] % 100 == 0 then resurrected[#resurrected + 1] = o end end})
end
collectgarbage(); collectgarbage()
table.sort(resurrected, function(a, b) return a[1] < b[1] end)
print("finalised", finalised, "back again", #resurrected, resurrected[1][1])
setmetatable({}, {__gc = function() error("in a finaliser") end})
collectgarbage()

collectgarbage("stop")
local ring = {}
for i = 1, 20000 do ring = {next = ring, i} end
collectgarbage("restart")
for _ = 1, 100 do collectgarbage("step", 50) end
local length = 0
while ring.next do ring = ring.next; length = length + 1 end
print("ring", length, collectgarbage("isrunning"))

local matrix = {}
for i = 1, 120 do matrix[i] = {}; for j = 1, 120 do matrix[i][j] = (i * j) % 17 end end
local function multiply(a, b)
  local out = {}
  for i = 1, #a do
    local row = {}
    for j = 1, #b[1] do local s = 0; for k = 1, #b do s = s + a[i][k] * b[k][j] end row[j] = s % 1009 end
    out[i] = row
  end
  return out
end
local power = matrix
for _ = 1, 4 do power = multiply(power, matrix) end
print(power[1][1], power[60][60], power[120][120])
