# SPDX-License-Identifier: MIT
"""Duktape, JavaScript: counted values and a collector of its own, each value from malloc."""

import pathlib

PACKAGE = "duktape"
BINARY = "duk"
TABLES = pathlib.Path(__file__).resolve().parents[2] / "programs" / "tables.js"
ARGUMENTS = (str(TABLES),)
NAMES = ("print-alert/duk_print_alert.c",)


def build(tree):
    sources = [tree.path("src", "duktape.c"), tree.path("examples", "cmdline", "duk_cmdline.c")]
    sources += [tree.path("extras", name) for name in NAMES]
    flags = ["-O2", "-w", f"-I{tree.path('src')}", f"-I{tree.path('examples', 'cmdline')}"]
    flags += ["-DDUK_CMDLINE_PRINTALERT_SUPPORT", f"-I{tree.path('extras', 'print-alert')}"]
    tree.compile(flags, sources, tree.path(BINARY), ["-lm"])


def prepare(directory):
    pass
