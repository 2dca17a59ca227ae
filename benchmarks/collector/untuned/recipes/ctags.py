# SPDX-License-Identifier: MIT
"""Exuberant Ctags, an index of names in sources: tags in growing strings."""

import loads

PACKAGE = "exuberant-ctags"
BINARY = "ctags"
ARGUMENTS = ("-R", "--c-kinds=+pxl", "--fields=+iaS", "--sort=yes", "-f", "-", "src")


def build(tree):
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w", "LDFLAGS=")
    tree.make("ctags")


def prepare(directory):
    for number in range(60):
        loads.write(directory, f"src/unit{number}.c", loads.c_source(500, number))
