# SPDX-License-Identifier: MIT
"""Zopfli, a compressor that tries much: large tables for each block, lists of matches."""

import loads

PACKAGE = "zopfli"
BINARY = "zopfli"
SCRIPT = '"$0" --i5 -c text | cksum'


def build(tree):
    tree.make("zopfli", f"CC={tree.cc}", "CFLAGS=-O2 -w")


def prepare(directory):
    loads.write(directory, "text", loads.prose(6000, 11))
