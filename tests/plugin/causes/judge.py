#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the program of each error in diagnostics.def, and the one that is right.

The first has to draw its error, and a note that says where the cause is; the second none of that
code.  PLACES are errors of which the place itself is the cause, as of a word where none may stand.

    judge.py COMPILER DIAGNOSTICS
"""

import re
import subprocess
import sys
import tempfile

ENTRY = re.compile(
    r'^ACRE_DIAGNOSTIC\(\w+, "(ACRE-\w+)", (\w+), "[^"]*",\s*((?:"(?:[^"\\]|\\.)*",?\s*)+)\)', re.M
)
STRING = re.compile(r'((?:"(?:[^"\\]|\\.)*"\s*)+)')
PLACES = {
    "ACRE-R001", "ACRE-R002", "ACRE-R003", "ACRE-R004", "ACRE-R007", "ACRE-R008", "ACRE-R010",
    "ACRE-R012", "ACRE-R013", "ACRE-R016", "ACRE-U014",
}  # fmt: skip
PRELUDE = """#include <acre/own.h>
#include <acre/region.h>
#include <acre/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
# What the programs take for declared, each unless it declares that itself.
TYPES = {
    "holder": "struct holder { char *unique text; };",
    "node": "struct node { struct node *sameregion next; int value; };",
    "list": "struct list { struct node *sameregion head; };",
}
FUNCTIONS = {"take": "int take(char *unique p);"}


def strings_of(text):
    return [
        re.sub(r'"\s*"', "", each)[1:].rstrip()[:-1].encode().decode("unicode_escape")
        for each in STRING.findall(text)
    ]


def reports(compiler, program):
    head = PRELUDE
    program = re.sub(r"/\*.*?\*/", "", program)
    for name, text in TYPES.items():
        if f"struct {name}" in program and not re.search(rf"struct {name} {{", program):
            head += text + "\n"
    for name, text in FUNCTIONS.items():
        if f"{name}(" in program and f"{text[:-1]}" not in program:
            head += text + "\n"
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(head + program)
        file.flush()
        run = subprocess.run(
            compiler.split() + ["-fsyntax-only", "-Wno-everything", "-Wacre-leak", file.name],
            capture_output=True,
            text=True,
        )
    return run.stderr


def main():
    compiler, table = sys.argv[1:]
    faults, count = [], 0
    for code, level, texts in ENTRY.findall(open(table).read()):
        if level != "Error":
            continue
        count += 1
        *_, rejected, accepted = strings_of(texts)
        said = reports(compiler, rejected)
        if f"[{code}]" not in said:
            faults.append(f"{code}: its program is not rejected\n{said}")
        elif code not in PLACES and ": note: " not in said.split(f"[{code}]", 1)[1]:
            faults.append(f"{code}: no note\n{said}")
        said = reports(compiler, accepted)
        if f"[{code}]" in said:
            faults.append(f"{code}: the right program is rejected\n{said}")
    print("\n".join(faults) or f"{count} errors")
    sys.exit(bool(faults) or not count)


main()
