# SPDX-License-Identifier: MIT
"""JBIG-KIT, a codec for bi-level images, and its tools."""

import os
import random
import re

PACKAGE = "jbigkit"
PORT = "jbigkit_port"
MEMORY = "arrays of arrays by plane and layer; lists of buffers with a free list; what was read"
FILES = ("libjbig/*.[ch]", "pbmtools/*.[ch]")
BINARY = "pbmtools/pbmtojbg"
SETTINGS = ()
RUNS = {
    "small": ("-d", "3", "small.pgm", "out"),
    "default": ("-d", "4", "default.pgm", "out"),
}
OUTPUTS = ("out",)


def picture(size):
    """Grey lines and spots, so that all planes have something to say."""
    choose = random.Random(size)
    rows = [
        bytes((x * y // size + choose.randrange(9)) & 255 for x in range(size)) for y in range(size)
    ]
    return f"P5\n{size} {size}\n255\n".encode() + b"".join(rows)


def write_loads(directory):
    for key, size in (("small", 200), ("default", 1200)):
        with open(os.path.join(directory, key + ".pgm"), "wb") as file:
            file.write(picture(size))


def build(tree, flags):
    tree.make(f"CC={tree.cc}", "CFLAGS=" + " ".join(flags), "lib", "pbm")


def check(tree):
    """Its makefile compares images that were coded and decoded: what passes, in its order."""
    said = tree.make(f"CC={tree.cc}", "CFLAGS=-O2 -w", "test")
    passed = re.findall(r"^.*(?:PASSED|passed|result = ok).*$", said, re.M)
    return {f"{number}: {text}": "ok" for number, text in enumerate(passed)}
