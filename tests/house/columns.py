#!/usr/bin/env python3
"""No line of a source is longer than 100 columns.

usage: columns.py ROOT     ROOT: the project's directory.  Exit status: 1 if a line is longer, each
said in a line.

Some lines cannot be broken: IR, which has one instruction a line, and what is expected of it;
directives of FileCheck that -SAME cannot continue; and what holds a word, or in a command an
argument in quotes, of more than 60 characters.
"""

import pathlib
import re
import subprocess
import sys

COLUMNS = 100
SUFFIXES = (".c", ".h", ".cpp", ".def", ".py", ".sh", ".cmake", ".cmake.in", ".test", ".ll", ".awk")
NAMES = ("CMakeLists.txt", "Makefile")
IR = re.compile(r"(?!; (RUN:|[^A-Z]|[A-Z][a-z]|[A-Z] )).*")
UNBREAKABLE = re.compile(r".*(\S{60}|RUN:.*('[^']{60,}'|\"[^\"]{60,}\")|[A-Z]-(DAG|NOT|LABEL):)")
# Arguments in quotes that go on from the line before.
ARGUMENT = re.compile(r"\W*RUN: *(['\"]).*\1 *\\?$")


def is_source(root, name):
    path = root / name
    if not path.is_file():
        return False
    if name.endswith(SUFFIXES) or path.name in NAMES:
        return True
    return "." not in path.name and path.open("rb").read(2) == b"#!"


def main():
    root, faults = pathlib.Path(sys.argv[1]), []
    listing = ["git", "-C", root, "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, names):
        if not is_source(root, name):
            continue
        for number, line in enumerate((root / name).read_text().split("\n"), 1):
            if len(line) <= COLUMNS or UNBREAKABLE.match(line) or ARGUMENT.match(line):
                continue
            if not (name.endswith(".ll") and IR.fullmatch(line)):
                faults.append(f"{name}:{number}: {len(line)} columns")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
