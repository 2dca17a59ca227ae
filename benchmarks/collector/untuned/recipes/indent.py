# SPDX-License-Identifier: MIT
"""GNU indent: the file in one block, buffers that grow, stacks of the parser."""

import loads

PACKAGE = "indent"
BINARY = "src/indent"
SCRIPT = '"$0" -kr -l100 unit.c -o out.c && cksum out.c'


def build(tree):
    tree.keep_generated("config.h.in")
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w -include locale.h", "--disable-nls")
    tree.make("-C", "src")


def prepare(directory):
    loads.write(directory, "unit.c", loads.c_source(12000, 1))
