# SPDX-License-Identifier: MIT
"""Calc, arithmetic of any precision: a block for each number, of the length that it needs."""

import loads

PACKAGE = "apcalc"
BINARY = "calc-static"
ARGUMENTS = ("-q", "-d", "-f", "sums.cal")
PROGRAM = """\
define primes(n) { local mat found[n]; local i = 0, c = 2; while (i < n) {
  local j, is = 1; for (j = 0; j < i && found[j] * found[j] <= c; j++)
    if (c % found[j] == 0) { is = 0; break; }
  if (is) found[i++] = c; c++; } return found[n - 1]; }
define sums(n) { local s = 0, i; for (i = 1; i <= n; i++) s += 1 / i; return s; }
define texts(n) { local l = list(), i; for (i = 0; i < n; i++) append(l, str(i * i));
  local t = 0; while (size(l)) t += strlen(pop(l)); return t; }
print primes(3000);
print sums(900);
print texts(120000);
print digits(fact(3000)), digits(7 ^ 9000 % (fact(500) + 1));
"""


def build(tree):
    flags = (f"LCC={tree.cc} -std=gnu89 -w", "DEBUG=-O2", "USE_READLINE=", "READLINE_LIB=")
    tree.run("make", *flags, "READLINE_EXTRAS=", "calc-static-only")


def prepare(directory):
    loads.write(directory, "sums.cal", PROGRAM.splitlines())
