# SPDX-License-Identifier: MIT
"""The one true awk: a block for each string and each cell of a table."""

import loads

PACKAGE = "original-awk"
BINARY = "a.out"
ARGUMENTS = ("-f", "index.awk", "text")
PROGRAM = """\
{ n = split($0, part, " "); for (i = 1; i <= n; i++) { count[part[i]]++
  if (length(places[part[i]]) < 200) places[part[i]] = places[part[i]] "," NR } }
{ key = substr($1, 1, 3); last[key] = toupper($0); gsub(/[aeiou]/, "", last[key]) }
END { for (w in count) if (count[w] > 40) { total++; length_of += length(places[w]) }
  for (k in last) rest += length(last[k]); print total, length_of, rest
  for (i = 0; i < 60000; i++) table[i % 9000] = sprintf("%d-%s", i, i * i)
  for (k in table) sum += length(table[k]); print sum }
"""


def build(tree):
    tree.run("make", f"CC={tree.cc}", "HOSTCC=cc", "CFLAGS=-O2 -w")


def prepare(directory):
    write_loads(directory, 50000)


def write_loads(directory, lines):
    loads.write(directory, "index.awk", PROGRAM.splitlines())
    loads.write(directory, "text", loads.prose(lines, 20010620))
