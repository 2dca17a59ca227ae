#!/usr/bin/env python3
"""The compiler's folders are layers: each includes only itself and those before it; the two halves
do not know each other.

usage: includes.py COMPILER     COMPILER: the directory.  Exit status: 1 if one of these is not so,
each said in a line.
"""

import pathlib
import re
import sys

PASS = ["base", "insert", "prove", "simplify", "bounds", "locals", "lower", "rlang", "."]
# What each part may include of the others.
PARTS = {
    "versions": {"versions"},
    "shared": {"shared"},
    "rlang": {"rlang"},
    "plugin": {"plugin", "shared", "versions"},
    "pass": {"pass", "rlang", "shared", "versions"},
}


def main():
    root, faults = pathlib.Path(sys.argv[1]), []
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".cpp", ".h"):
            continue
        here = path.relative_to(root)
        for name in re.findall(r'#include "([\w/]+\.(?:h|def))"', path.read_text()):
            other = pathlib.PurePath(name)
            if other.parts[0] not in PARTS:
                continue
            if other.parts[0] not in PARTS[here.parts[0]]:
                faults.append(f"{here} includes {name}, of another part")
            elif here.parts[0] == other.parts[0] == "pass":
                mine, its = (
                    PASS.index(str(each.parent.relative_to("pass"))) for each in (here, other)
                )
                if its > mine:
                    faults.append(f"{here} includes {name}, of a later layer")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
