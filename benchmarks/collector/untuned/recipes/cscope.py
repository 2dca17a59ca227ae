# SPDX-License-Identifier: MIT
"""Cscope, a database of a program's symbols, built once and searched."""

import loads

PACKAGE = "cscope"
BINARY = "src/cscope"
SCRIPT = (
    'rm -f cscope.out && "$0" -b -R -s src && "$0" -d -L0 sum | cksum'
    ' && "$0" -d -L3 step_unit7_3 && cksum < cscope.out'
)


def build(tree):
    tree.keep_generated("config.h.in")
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w")
    tree.make()


def prepare(directory):
    for number in range(60):
        loads.write(directory, f"src/unit{number}.c", loads.c_source(450, number))
