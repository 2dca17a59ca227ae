# SPDX-License-Identifier: MIT
"""Discount, Markdown to HTML: a list node for each line, strings that grow by a character."""

import loads

PACKAGE = "discount"
BINARY = "markdown"
ARGUMENTS = ("text.md",)


def build(tree):
    flags = "-O2 -w -Wno-incompatible-function-pointer-types"
    tree.run("./configure.sh", "--with-fenced-code", env={"CC": tree.cc, "CFLAGS": flags})
    tree.run("make", "markdown")


def document(lines):
    for number, line in enumerate(loads.prose(lines, 5)):
        kind = number % 13
        if kind == 0:
            yield f"\n## {line}\n"
        elif kind < 5:
            yield f"* {line} **{number}** and [{number}](http://example.org/{number} \"{kind}\")"
        elif kind == 5:
            yield f"\n    code {line};\n"
        elif kind == 6:
            yield f"\n> {line} *{number}*\n"
        else:
            yield f"{line} `{number}`, _{line[:9]}_"


def prepare(directory):
    loads.write(directory, "text.md", document(60000))
