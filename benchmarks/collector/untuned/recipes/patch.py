# SPDX-License-Identifier: MIT
"""GNU patch: lines of hunks in arrays, many files."""

import loads

PACKAGE = "patch"
BINARY = "src/patch"
SCRIPT = (
    "rm -rf work && cp -r old work && cd work && \"$0\" -s -p1 < ../all.diff && cat *.c | cksum"
)


def build(tree):
    tree.keep_generated("config.hin")
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w")
    tree.make("-C", "lib")
    tree.make("-C", "src")


def prepare(directory):
    changes = []
    for number in range(40):
        lines = "\n".join(loads.c_source(400, number)).split("\n")
        loads.write(directory, f"old/u{number}.c", lines)
        changes += [f"--- a/u{number}.c", f"+++ b/u{number}.c"]
        for at in range(10, len(lines) - 10, 9):
            before, after = lines[at - 3 : at], lines[at + 1 : at + 4]
            changes += [f"@@ -{at - 2},7 +{at - 2},7 @@", *(" " + line for line in before)]
            changes += ["-" + lines[at], f"+{lines[at]} /* {at} */", *(" " + x for x in after)]
    loads.write(directory, "all.diff", changes)
