-- Strings and tables of them: patterns, concatenation, interning.
local n = tonumber(arg and arg[1]) or 30
local words, counts = {}, {}
for i = 1, 2000 * n do words[i] = string.format("%s%d", ("abc"):rep(i % 3 + 1), i % 997) end
for _, word in ipairs(words) do counts[word] = (counts[word] or 0) + 1 end
local text = table.concat(words, " ")
local total = 0
for word in text:gmatch("%a+") do total = total + #word end
print(#text, total, select(2, text:gsub("(%w+) (%w+)", "%2 %1")))
table.sort(words)
print(words[1], words[#words])
