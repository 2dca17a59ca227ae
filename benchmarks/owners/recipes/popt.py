# SPDX-License-Identifier: MIT
"""popt, a library for command lines: a stack of argument vectors, strings that are handed out, and
fields that end an object and take null in one assignment."""

import os
import re

from toolchain import run_program

PACKAGE = "popt"
PORT = "popt_port"
MEMORY = "a context with a stack; vectors of strings that grow; strings given to the caller"
FILES = ("src/*.[ch]",)
BINARY = "load"
SETTINGS = ()
RUNS = {"small": ("settings", "5000"), "default": ("settings", "60000")}
OUTPUTS = ()

LOAD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "loads", "popt.c")


def write_loads(directory):
    with open(os.path.join(directory, "settings"), "w", encoding="ascii") as file:
        for number in range(300):
            file.write(f"# comment {number}\nlist = \"element {number}\"\nflag\n")


def build(tree, flags):
    tree.keep_generated("config.h.in")
    text = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={text}"),
        *("--disable-nls", "--disable-dependency-tracking", "--disable-shared"),
    )
    tree.make("-C", "src")
    # The load and the tests are callers that have no words.
    wordless = () if tree.kind == "own" else ("-fno-acre",)
    tree.run(*(tree.cc, *flags, *wordless, "-Isrc", LOAD, "src/.libs/libpopt.a", "-o", "load"))


def check(tree):
    wordless = "" if tree.kind == "own" else " -fno-acre"
    run_program(["make", "check", "CFLAGS=-O2 -w" + wordless], cwd=tree.path("tests"))
    with open(tree.path("tests", "testit.sh.log"), encoding="utf-8", errors="replace") as log:
        return dict.fromkeys(re.findall(r"^PASS:? (test\d - \d+)$", log.read(), re.M), "passed")
