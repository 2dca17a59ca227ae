-- Strings: patterns, formatting, packing, UTF-8, buffers; over real text.
local file = assert(io.open("/usr/share/common-licenses/GPL-3") or io.open("strings.lua"))
local text = file:read("a")
file:close()

local counts, order = {}, {}
for word in text:lower():gmatch("%a+") do
  if not counts[word] then counts[word] = 0; order[#order + 1] = word end
  counts[word] = counts[word] + 1
end
table.sort(order, function(a, b) if counts[a] ~= counts[b] then return counts[a] > counts[b] end return a < b end)
for i = 1, 40 do print(i, order[i], counts[order[i]]) end

print(#text, #text:upper():reverse(), select(2, text:gsub("%f[%w]%w+", "%0")))
local swapped = text:gsub("(%w+) (%w+)", "%2 %1")
print(swapped:sub(1, 200), #swapped)
local lines = {}
for line in text:gmatch("[^\n]*\n") do lines[#lines + 1] = line end
assert(table.concat(lines) == text:sub(1, #table.concat(lines)))
print(#lines, table.concat(lines, "|", 1, 5))
print((text:gsub("%b()", function(s) return "<" .. #s .. ">" end)):sub(1, 500))

for _, f in ipairs {"%5.2f|%-8s|%08d|%x|%q", "%g|%10.3s|%+d|%X|%q"} do
  print(string.format(f, 3.14159, "abcdef", 42, 255, "line\n\"quoted\"\0end"))
end
for i = -3, 3 do print(string.format("%a %e %i", i / 3, i * 1e10, i), tostring(i / 0), math.tointeger(i * 2.0)) end

local packed = string.pack(">i4 z s2 d", -123456, "hello", "world", 2.5)
print(#packed, string.unpack(">i4 z s2 d", packed))
for _, code in utf8.codes("žluťoučký kůň ☃ 𝄞") do io.write(code, " ") end
print(utf8.len("žluťoučký"), utf8.char(381, 9731, 119070))

local buffer = {}
for i = 1, 20000 do buffer[#buffer + 1] = tostring(i):rep(i % 5) end
local joined = table.concat(buffer, ",")
local hash = 0
for i = 1, #joined do hash = (hash * 131 + joined:byte(i)) % 4294967296 end
print(#joined, hash)

local s = ""
for i = 1, 3000 do s = s .. string.char(97 + i % 26) end
print(#s, s:sub(-60), s:find("xyzabc", 1000, true), s:match("(b)(c).-(z)"))
print(pcall(string.rep, "x", 1 << 40))
print(pcall(string.gsub, "abc", "(", "x"))
print(pcall(string.format, "%d", "1.5"))
