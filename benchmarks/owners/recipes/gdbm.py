# SPDX-License-Identifier: MIT
"""GNU dbm, a library of databases in one file: a cache of buckets in two intrusive lists and a hash
table, buffers that grow."""

import os
import re

from toolchain import run_program

PACKAGE = "gdbm"
PORT = "gdbm_port"
MEMORY = "a cache of buckets in intrusive lists; tables and buffers that grow; handles of files"
FILES = ("src/*.[ch]", "src/*.h.in")
BINARY = "load"
SETTINGS = ("TZ=UTC",)
RUNS = {"small": ("20000",), "default": ("60000",)}
OUTPUTS = ("one.gdbm", "two.gdbm")

LOAD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "loads", "gdbm.c")


def write_loads(directory):
    """The load makes its keys itself."""


def build(tree, flags):
    tree.keep_generated("autoconf.h.in")
    text = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={text}"),
        *("--disable-nls", "--disable-dependency-tracking", "--disable-shared"),
        *("--enable-libgdbm-compat", "--without-readline"),
    )
    tree.make("-C", "src")
    # The load, the tests and the tools are callers that have no words.
    wordless = () if tree.kind == "own" else ("-fno-acre",)
    for part in ("compat", "tools"):
        tree.make("-C", part, "CFLAGS=" + " ".join([*flags, *wordless]))
    tree.run(*(tree.cc, *flags, *wordless, "-Isrc", LOAD, "src/.libs/libgdbm.a", "-o", "load"))


def check(tree):
    wordless = "" if tree.kind == "own" else " -fno-acre"
    run_program(["make", "check", "CFLAGS=-O2 -w" + wordless], cwd=tree.path("tests"))
    with open(tree.path("tests", "testsuite.log"), encoding="utf-8", errors="replace") as log:
        return dict(re.findall(r"^(\d+)\. .*?: (ok|FAILED|skipped)\b", log.read(), re.M))
