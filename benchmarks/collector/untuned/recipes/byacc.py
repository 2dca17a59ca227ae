# SPDX-License-Identifier: MIT
"""Berkeley Yacc: item sets, tables and symbols from malloc."""

import random

import loads

PACKAGE = "byacc"
BINARY = "yacc"
SCRIPT = '"$0" -v -o out.c grammar.y 2>/dev/null; cat out.c out.output | cksum'


def build(tree):
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w")
    tree.make("yacc")


def grammar(rules):
    choose = random.Random(rules)
    yield from (f"%token T{number}" for number in range(rules))
    yield "%%\nstart: " + " | ".join(f"rule{number}" for number in range(0, rules, 5)) + ";"
    for number in range(rules):
        later = [f"rule{n}" for n in range(number + 1, min(number + 12, rules))] or ["T0"]
        parts = [f"T{number} {choose.choice(later)} T{(number * 7) % rules}", f"T{number}"]
        parts += [f"{choose.choice(later)} T{number}", f"T{number} {choose.choice(later)} T1"]
        yield f"rule{number}: " + " | ".join(parts) + ";"
    yield "%%"


def prepare(directory):
    loads.write(directory, "grammar.y", grammar(600))
