# SPDX-License-Identifier: MIT
"""PicoSAT, a solver: clauses of all lengths from malloc, watched through arrays that grow."""

import random

import loads

PACKAGE = "picosat"
BINARY = "picosat"
SCRIPT = '"$0" problem.cnf; test $? = 10 -o $? = 20'


def build(tree):
    tree.run("./configure.sh", env={"CC": tree.cc, "CFLAGS": "-O2 -w"})
    tree.make("picosat")


def clauses(variables, ratio, seed):
    choose, count = random.Random(seed), int(variables * ratio)
    yield f"p cnf {variables} {count}"
    for _ in range(count):
        chosen = choose.sample(range(1, variables + 1), 3)
        yield " ".join(str(choose.choice((-1, 1)) * name) for name in chosen) + " 0"


def prepare(directory):
    loads.write(directory, "problem.cnf", clauses(260, 4.26, 7))
