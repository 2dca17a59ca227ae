-- A table of records that refer to each other, replaced at random: memory that lives long, and dies in no order.
local count, rounds = tonumber(arg and arg[1]) or 20000, tonumber(arg and arg[2]) or 10
local state = 20010620
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return (state >> 8) % n + 1
end
local records = {}
local function make(i)
  local friend = records[random(count)]
  return {id = i, name = "record " .. i .. "/" .. random(1000), friend = friend and friend.name, numbers = {i, random(9), random(99)}}
end
for i = 1, count do records[i] = make(i) end
for _ = 1, rounds do
  for _ = 1, count do
    local i = random(count)
    records[i] = make(i)
  end
end
local sum, bytes = 0, 0
for _, r in ipairs(records) do
  sum = (sum * 31 + r.numbers[1] + r.numbers[3]) % 1000003
  bytes = bytes + #r.name + (r.friend and #r.friend or 0)
end
print(sum, bytes)
