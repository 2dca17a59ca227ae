-- Coroutines: generators, schedulers, errors across them, deep nesting, collection while suspended.
local function permutations(a, n)
  n = n or #a
  if n <= 1 then coroutine.yield(a) return end
  for i = 1, n do
    a[n], a[i] = a[i], a[n]
    permutations(a, n - 1)
    a[n], a[i] = a[i], a[n]
  end
end
local count, checksum = 0, 0
for p in coroutine.wrap(function() permutations {1, 2, 3, 4, 5, 6, 7} end) do
  count = count + 1
  local v = 0
  for i = 1, #p do v = v * 10 + p[i] end
  checksum = (checksum * 31 + v) % 1000000007
end
print(count, checksum)

local queue, trace = {}, {}
local function spawn(name, steps)
  queue[#queue + 1] = {name = name, co = coroutine.create(function(...)
    for i = 1, steps do
      local reply = coroutine.yield(name .. i, ...)
      trace[#trace + 1] = name .. tostring(reply)
      if i % 11 == 0 then error({who = name, at = i}) end
    end
    return "end of " .. name
  end)}
end
for i = 1, 12 do spawn(string.char(96 + i), i * 2) end
while #queue > 0 do
  local task = table.remove(queue, 1)
  local ok, value = coroutine.resume(task.co, #trace)
  if not ok then print("failed", value.who, value.at)
  elseif coroutine.status(task.co) == "suspended" then queue[#queue + 1] = task
  else print(value) end
end
print(#trace, table.concat(trace, ",", 1, 30))

local function nest(n) if n == 0 then coroutine.yield("bottom") return 1 end
  return 1 + coroutine.wrap(function() return nest(n - 1) end)() end
local outer = coroutine.create(function() return nest(0) end)
print(coroutine.resume(outer))
print(coroutine.resume(outer))
print(pcall(function() local function deep(n) return coroutine.wrap(function() return deep(n + 1) end)() end return deep(1) end))

local live = {}
for i = 1, 2000 do
  local payload = {i, ("x"):rep(i % 100)}
  live[i % 50 + 1] = coroutine.wrap(function() while true do payload[1] = payload[1] + #payload[2]; coroutine.yield(payload[1]) end end)
  if i % 100 == 0 then collectgarbage() end
end
local sum = 0
for _ = 1, 20 do for i = 1, #live do sum = sum + live[i]() end end
print(sum)

local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() print("closed") end}); coroutine.yield(1) end)
print(coroutine.resume(co)); print(coroutine.close(co), coroutine.status(co))
print(coroutine.resume(coroutine.create(function() error("text", 0) end)))
print(coroutine.isyieldable(), coroutine.running() ~= nil, coroutine.resume(co))
print(select("#", coroutine.resume(coroutine.create(function(...) return ... end), 1, nil, 3, nil)))
local wrapped = coroutine.wrap(function() return pcall(function() local v = coroutine.yield("in pcall"); error(v) end) end)
print(wrapped()); print(wrapped("resumed with this"))
