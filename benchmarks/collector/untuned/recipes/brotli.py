# SPDX-License-Identifier: MIT
"""Brotli, a compressor: few and large blocks through functions that the caller may give."""

import loads

PACKAGE = "brotli"
BINARY = "bin/brotli"
SCRIPT = 'for q in 5 9 11; do "$0" -c -q $q text > out && cksum out && "$0" -dc out | cksum; done'


def build(tree):
    tree.make("brotli", f"CC={tree.cc}", "CFLAGS=-O2 -w", "os=Linux")


def prepare(directory):
    loads.write(directory, "text", loads.prose(12000, 12))
