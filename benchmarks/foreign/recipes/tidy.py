# SPDX-License-Identifier: MIT
"""HTML Tidy: a tree of nodes and attributes for each document, through an allocator that the
document names."""

import glob
import os

from toolchain import run_program

PACKAGE = "tidy-html5"
PORT = "tidy_port"
MEMORY = "nodes, attributes and texts through the document's allocator, freed with the document"
FILES = ("src/*.[ch]", "console/*.c", "include/*.h")
BINARY = "tidy"
SETTINGS = ()
OPTIONS = ("-q", "-i", "--show-warnings", "no", "--force-output", "yes", "-o", "out")
RUNS = {"small": (*OPTIONS, "small.html"), "default": (*OPTIONS, "default.html")}
OUTPUTS = ("out",)
DEFINES = (
    "-Iinclude",
    "-Isrc",
    "-DSUPPORT_LOCALIZATIONS=1",
    '-DLIBTIDY_VERSION="5.6.0"',
    '-DRELEASE_DATE="2017/11/25"',
)


def page(sections):
    lines = ["<!DOCTYPE html>", "<html lang='en'><head><title>Sections</title></head><body>"]
    for number in range(sections):
        rows = "".join(
            f"<tr><td class='c{row}'>{number} &amp; {row}</td><td><b>bold</b> <i>and"
            " <u>more</u></i></td></tr>"
            for row in range(4)
        )
        lines.append(
            f"<div id='s{number}' class='section odd' title='a &lt; b'><h2>Section {number}</h2>"
            "<p>Some <em>text <strong>with nested</strong> words</em>, a <a"
            f" href='#s{number // 2}'>link</a>"
            f" and an image: <img src='i{number}.png' alt='image {number}'></p>"
            "<ul><li>one</li><li>two <ol><li>inner</li><li>other</li></ol></li></ul>"
            f"<table><tbody>{rows}</tbody></table></div>"
        )
    return "\n".join([*lines, "</body></html>", ""])


def write_loads(directory):
    for key, sections in (("small", 500), ("default", 18000)):
        with open(os.path.join(directory, key + ".html"), "w", encoding="ascii") as file:
            file.write(page(sections))


def build(tree, flags):
    units = sorted([*glob.glob(tree.path("src", "*.c")), tree.path("console", "tidy.c")])
    tree.compile(
        [*flags, *(word.replace("-I", "-I" + tree.directory + "/") for word in DEFINES)],
        units,
        tree.path(BINARY),
        flags,
    )


def check(tree):
    """It has none in its package: pages with mistakes of our own, in several forms of output."""
    said, text = {}, page(3)
    for number, broken in enumerate(
        (
            text.replace("</em>", ""),
            text.replace("</li>", "").replace("<tbody>", ""),
            text.replace("</div>", "</span>").replace("<p>", "<p><form>"),
            text.replace("<body>", "").replace("</b>", "</i>"),
            text.replace("<table>", "<table><caption><table>").replace("&amp;", "&unknown;"),
            text[: len(text) // 2],
            text[len(text) // 3 :],
        )
    ):
        for options in (("-asxml",), ("-ashtml", "-clean"), ("-bare", "-omit", "-upper")):
            done = run_program(
                [tree.path(BINARY), "-i", *options], stdin=broken.encode(), cwd=tree.directory
            )
            said[f"{number} {' '.join(options)}"] = repr(done)
    return said
