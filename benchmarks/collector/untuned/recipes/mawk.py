# SPDX-License-Identifier: MIT
"""mawk: strings from malloc, small blocks of its own lists of sizes."""

from recipes import original_awk

PACKAGE = "mawk"
BINARY = "mawk"
ARGUMENTS = original_awk.ARGUMENTS


def build(tree):
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w")
    tree.make("mawk")


def prepare(directory):
    original_awk.write_loads(directory, 80000)
