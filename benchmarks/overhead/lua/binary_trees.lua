-- Many small objects that live briefly: the allocator and the collector.
local function make(depth)
  if depth == 0 then return {} end
  return {make(depth - 1), make(depth - 1)}
end
local function check(tree) return tree[1] and 1 + check(tree[1]) + check(tree[2]) or 1 end
local depth, total = tonumber(arg and arg[1]) or 13, 0
for d = 4, depth, 3 do
  for _ = 1, 1 << (depth - d + 4) do total = total + check(make(d)) end
end
print(total)
