# SPDX-License-Identifier: MIT
"""GNU cflow, which draws the calls of C programs: an obstack of tokens, lists of
symbols from malloc."""

import os
import re

from toolchain import run_program

PACKAGE = "cflow"
PORT = "cflow_port"
MEMORY = "an obstack for tokens and texts, another for declarations; symbols and lists from malloc"
FILES = ("src/*.[chly]", "gnu/*.[ch]")
BINARY = "src/cflow"
SETTINGS = ("LC_ALL=C",)
RUNS = {
    "small": ("--xref", "--output=out", "small.c"),
    "default": ("--xref", "--output=out", "default.c"),
}
OUTPUTS = ("out",)


def program(functions):
    """A C program of many structures and functions that call each other."""
    lines = []
    for number in range(functions):
        callees = {(number * 31 + step * 17 + 1) % functions for step in range(6)}
        calls = "\n".join(
            f'  if (a->count > {callee} && *a->name) r += f{callee}(a, &r, "text {callee}");'
            for callee in sorted(callees)
        )
        lines.append(
            f"struct s{number} {{ int count; char *name; struct s{number} *next; }};\n"
            f"typedef struct s{number} *t{number};\n"
            f"static int v{number}[{number + 1}] = {{ 1, 2, 3 }};\n"
            f"int f{number}(t{number} a, int *b, const char *c)\n{{\n"
            f"  int r = v{number}[0]; struct s{number} local = {{ 0 }};\n"
            f"  for (int i = 0; i < *b; i++) {{ t{number} p = a->next; r += p->count * i; }}\n"
            f"{calls}\n  return r + local.count;\n}}\n"
        )
    return "".join(lines)


def write_loads(directory):
    for key, functions in (("small", 1200), ("default", 4000)):
        with open(os.path.join(directory, key + ".c"), "w", encoding="ascii") as file:
            file.write(program(functions))


def build(tree, flags):
    tree.keep_generated("config.h.in")
    text = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={text}"),
        *("--disable-nls", "--disable-dependency-tracking"),
    )
    tree.make("-C", "gnu")
    tree.make("-C", "src")


def check(tree):
    tree.make("-C", "tests", "atconfig", "atlocal", "package.m4")
    _, output, _ = run_program(["./testsuite"], cwd=tree.path("tests"))
    return dict(
        re.findall(
            r"^\s*(\d+): .*?\s(ok|skipped.*|FAILED.*|expected failure.*)$",
            output.decode(errors="replace"),
            re.M,
        )
    )
