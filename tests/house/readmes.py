#!/usr/bin/env python3
"""A folder of the compiler and of the runtime says what is in it, and where to begin.

usage: readmes.py ROOT     ROOT: the project's directory.

Its README has at most 20 lines, an invariant, a checker or tests, and the file to open first, which
exists.  A folder above names the same file for it.  Exit status: 1 if one of these is not so,
each said in a line.
"""

import pathlib
import re
import sys

LINES = 20
# The tables say so of their folders; README.md there leads on.
FIRST = re.compile(r"(?:First file to open|Open\s+first): `([\w./]+)`|Open\s+`([\w./]+)`\s+first")
ROW = re.compile(r"^\| `(\w+)/` \|.*\| `([\w./]+)` \|$", re.M)
PARTS = (("invariant", r"Invariant:"), ("checker and no tests", r"(Checkers?|Tests):"))


def first_of(text):
    found = FIRST.search(text)
    return found and (found.group(1) or found.group(2))


def faults_of(root, folder):
    name, path = folder.relative_to(root), folder / "README.md"
    if not path.exists():
        yield f"{name}: has no README.md"
        return
    text = path.read_text()
    if len(text.splitlines()) > LINES:
        yield f"{name}/README.md: more than {LINES} lines"
    rows, first = ROW.findall(text), first_of(text)
    if first and not (folder / first).exists():
        yield f"{name}/README.md: {first} does not exist"
    for below, row_first in rows + ([first.split("/")] if first and "/" in first else []):
        below_first = row_first.removeprefix(below + "/")
        own = folder / below / "README.md"
        wanted = own.exists() and first_of(own.read_text())
        if not (folder / below / below_first).exists():
            yield f"{name}/README.md: {below}/{below_first} does not exist"
        elif wanted and below_first not in (wanted, "README.md"):
            yield f"{name}/README.md: {below}/ opens with {below_first}, but says {wanted} itself"
    if path.parent == root / "runtime":
        return  # its table has the invariants of all layers
    for what, pattern in PARTS:
        if not re.search(pattern, text):
            yield f"{name}/README.md: names no {what}"
    if not rows and not first:
        yield f"{name}/README.md: does not say which file to open first"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    folders = {
        path.parent
        for top in ("compiler", "runtime")
        for path in (root / top).rglob("*")
        if path.suffix in (".c", ".cpp", ".h", ".def") and "build" not in path.parts
    }
    folders |= {root / "compiler", root / "runtime", root / "runtime" / "gc"}
    folders |= {folder.parent for folder in folders if folder.parent != root}
    faults = [fault for folder in sorted(folders) for fault in faults_of(root, folder)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
