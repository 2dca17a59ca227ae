-- Sorting: every algorithm agrees on pseudo-random data; comparison functions that fail are reported.
local seed = 42
local function random(n) seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n + 1 end

local function quicksort(a, lo, hi)
  if lo >= hi then return end
  local pivot, i = a[(lo + hi) // 2], lo
  a[(lo + hi) // 2], a[hi] = a[hi], a[(lo + hi) // 2]
  for j = lo, hi - 1 do
    if a[j] < pivot then a[i], a[j] = a[j], a[i]; i = i + 1 end
  end
  a[i], a[hi] = a[hi], a[i]
  quicksort(a, lo, i - 1)
  quicksort(a, i + 1, hi)
end

local function mergesort(a)
  if #a < 2 then return a end
  local half = #a // 2
  local left, right = mergesort({table.unpack(a, 1, half)}), mergesort({table.unpack(a, half + 1)})
  local out, i, j = {}, 1, 1
  while i <= #left or j <= #right do
    if j > #right or (i <= #left and left[i] <= right[j]) then out[#out + 1] = left[i]; i = i + 1
    else out[#out + 1] = right[j]; j = j + 1 end
  end
  return out
end

local function heapsort(a)
  local n = #a
  local function sift(root, last)
    while 2 * root <= last do
      local child = 2 * root
      if child < last and a[child] < a[child + 1] then child = child + 1 end
      if a[root] >= a[child] then return end
      a[root], a[child] = a[child], a[root]
      root = child
    end
  end
  for root = n // 2, 1, -1 do sift(root, n) end
  for last = n, 2, -1 do a[1], a[last] = a[last], a[1]; sift(1, last - 1) end
  return a
end

for _, n in ipairs {0, 1, 2, 10, 1000, 8000} do
  local numbers, words = {}, {}
  for i = 1, n do numbers[i] = random(n * 3); words[i] = string.format("%x-%d", random(1 << 20), i) end
  local copies = {}
  for k = 1, 4 do copies[k] = {table.unpack(numbers)} end
  quicksort(copies[1], 1, n)
  copies[2] = mergesort(copies[2])
  heapsort(copies[3])
  table.sort(copies[4])
  local sum = 0
  for i = 1, n do
    assert(copies[1][i] == copies[2][i] and copies[2][i] == copies[3][i] and copies[3][i] == copies[4][i])
    sum = (sum * 31 + copies[1][i]) % 1000000007
  end
  table.sort(words, function(a, b) return a > b end)
  print(n, sum, words[1], words[n])
end

local objects = {}
for i = 1, 3000 do objects[i] = {key = random(100), name = "object " .. i} end
table.sort(objects, function(a, b) if a.key ~= b.key then return a.key < b.key end return a.name < b.name end)
for i = 1, 3000, 250 do print(objects[i].key, objects[i].name) end

print(pcall(table.sort, {3, 1, "x", 2}))
print(select(2, pcall(table.sort, {5, 4, 3, 2, 1, 9, 8, 7}, function() error({code = 7}) end)).code)
print(select(2, pcall(table.sort, {1, 2, 3, 4, 5}, function() return true end)))
