# SPDX-License-Identifier: MIT
"""GNU Bison, the parser generator: text and lists in obstacks, symbols and states from malloc."""

import os
import random
import re

from toolchain import run_program

PACKAGE = "bison"
PORT = "bison_port"
MEMORY = "obstacks for text and work lists, bit sets in an obstack, the rest malloc"
FILES = ("src/*.[chly]", "lib/*.[ch]")
BINARY = "src/bison"
SETTINGS = ("BISON_PKGDATADIR={tree}/data", "LC_ALL=C")
OPTIONS = ("-Wnone", "--report=itemsets,lookaheads", "--report-file=report", "-o", "out.c")
RUNS = {"small": (*OPTIONS, "small.y"), "default": (*OPTIONS, "default.y")}
OUTPUTS = ("report", "out.c")
# The groups of its own tests that need no parser to be compiled.
GROUPS = "1-60"


def grammar(productions, seed):
    """An ambiguous grammar of statements and of expressions with many operators."""
    choose = random.Random(seed)
    names = [f"rule{number}" for number in range(productions)]
    lines = ["%define lr.type ielr"]
    lines += [f"%token T{number}" for number in range(productions)]
    lines += ["%%", "start: " + " | ".join(names[::7]) + ";"]
    for number, name in enumerate(names):
        later = names[number + 1 : number + 12] or ["T0"]
        parts = [
            f"T{number} {choose.choice(later)} T{(number * 7) % productions}",
            f"{choose.choice(later)} T{number}",
            f"T{number}",
            f"T{number} {choose.choice(later)} {choose.choice(later)}",
        ]
        lines.append(f"{name}: " + " | ".join(parts) + ";")
    return "\n".join([*lines, "%%", ""])


def write_loads(directory):
    for key, productions in (("small", 250), ("default", 1000)):
        with open(os.path.join(directory, key + ".y"), "w", encoding="ascii") as file:
            file.write(grammar(productions, productions))


def build(tree, flags):
    for name in ("aclocal.m4", "configure", "lib/config.in.h", "Makefile.in"):
        os.utime(tree.path(name))
    # Debian's source has no manual; examples are cut out of it, and are there already.
    with open(tree.path("doc", "bison.texi"), "w", encoding="ascii"):
        pass
    os.utime(tree.path("doc", "bison.texi"), (0, 0))
    text = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={text}", "M4=/usr/bin/m4"),
        *("--disable-nls", "--disable-dependency-tracking"),
    )
    tree.make("--eval=.SECONDEXPANSION:", "--eval=built: $$(BUILT_SOURCES)", "built")
    tree.make("src/bison")


def check(tree):
    tree.make("tests/bison", "tests/atconfig", "tests/atlocal")
    _, output, _ = run_program(
        ["./testsuite", "-C", "tests", *GROUPS.split()], cwd=tree.path("tests"), timeout=900
    )
    return dict(
        re.findall(
            r"^\s*(\d+): .*?\s(ok|skipped.*|FAILED.*|expected failure.*)$",
            output.decode(errors="replace"),
            re.M,
        )
    )
