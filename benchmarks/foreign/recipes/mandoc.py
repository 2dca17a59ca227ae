# SPDX-License-Identifier: MIT
"""mandoc, the formatter of manual pages: a tree of nodes for each document, its strings, tables and
equations from malloc."""

import glob
import os
import re

from toolchain import run_program

PACKAGE = "mandoc"
PORT = "mandoc_port"
MEMORY = (
    "a tree of nodes for each document, freed node by node; stacks and hash tables of the formatter"
)
FILES = ("*.[ch]",)
BINARY = "mandoc"
SETTINGS = ()
RUNS = {"small": ("-T", "html", "small.1"), "default": ("-T", "html", "default.1")}
OUTPUTS = ()


def manual(sections):
    lines = [".Dd January 1, 2020", ".Dt LONG 1", ".Os", ".Sh NAME", ".Nm long", ".Nd a manual"]
    lines += [".de XX", ".Em \\\\$1", "(\\\\$2)", "..", ".ds text some words"]
    for number in range(sections):
        lines += [
            f".Sh SECTION {number}",
            f".Ss Part {number} of \\*[text]",
            f".Bl -tag -width Ds -offset indent",
            f".It Fl a Ar file{number} , Fl b Ns Op Ar value",
            ".XX first second",
            f"Text with \\fBbold\\fP and \\(em dashes, see",
            f".Xr other{number % 9} {number % 8 + 1} .",
            f".It Ic command Cm word{number}",
            ".Bd -literal -offset indent",
            f"line {number}\\e of code",
            ".Ed",
            ".El",
            ".Pp",
            f".if n .Dq Pq quoted Em text {number} ,",
            f'.Fn function{number} "int argument" "char *other"',
            ".TS",
            "l c r.",
            f"a{number}\tb\tc",
            "d\te\tf",
            ".TE",
            ".EQ",
            f"x sub {number} = {{ a over b }} sup 2",
            ".EN",
        ]
    return "\n".join(lines) + "\n"


def write_loads(directory):
    for key, sections in (("small", 500), ("default", 9000)):
        with open(os.path.join(directory, key + ".1"), "w", encoding="ascii") as file:
            file.write(manual(sections))


def build(tree, flags):
    text = " ".join(flags)
    with open(tree.path("configure.local"), "w", encoding="utf-8") as file:
        file.write(f'CC="{tree.cc}"\nCFLAGS="{text}"\nLDFLAGS="{text}"\n')
    tree.run("./configure")
    tree.make("mandoc")


def check(tree):
    """Its own regression tests by what they read; expected is what plain clang's writes."""
    said = {}
    for path in sorted(glob.glob(tree.path("regress", "*", "*", "*.in"))):
        for kind in ("ascii", "html"):
            result = run_program(
                [
                    tree.path(BINARY),
                    "-I",
                    "os=test",
                    "-T",
                    kind,
                    "-O",
                    "fragment",
                    "-W",
                    "all",
                    os.path.basename(path),
                ],
                cwd=os.path.dirname(path),
            )
            name = os.path.relpath(path, tree.path("regress"))
            said[f"{name} {kind}"] = re.sub(re.escape(tree.directory), "TREE", repr(result))
    return said
