#!/usr/bin/env python3
"""What generated code names of the runtime is declared, and what is declared for generated code is
used.

usage: entries.py ROOT     ROOT: the project's directory.  Exit status: 1 if one of these is not so,
each said in a line.

Types and numbers of parameters need no test: the compiler takes them from the declarations
(HeaderTypes.h).  Here are the names that it spells, and the one attribute that a type does not
have.
"""

import pathlib
import re
import sys

HEADERS = ["include/acre/abi.h", "include/acre/bump.h"]
ENTRY = re.compile(r'ACRE_ENTRY\(\w+, (acre_rt_\w+), "\w*", (\w+)\)')
# Declared for the runtime's own sources: what a replaced function of the C library calls in turn.
OF_THE_RUNTIME = re.compile(r"acre_rt_(gc_|verify_)")


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def main():
    root, faults = pathlib.Path(sys.argv[1]), []
    text = without_comments("".join((root / name).read_text() for name in HEADERS))
    functions = {}  # name -> whether it ends the program
    for declaration in re.split(r"[;{}]", text):
        found = re.search(r"\b(acre_rt_\w+)\s*\(", declaration)
        if found and "typedef" not in declaration and "#define" not in declaration:
            functions[found.group(1)] = "noreturn" in declaration
    declared = set(re.findall(r"\bacre_rt_\w+", text))
    sources = [
        path
        for path in sorted((root / "compiler").rglob("*"))
        if path.suffix in (".cpp", ".h", ".def")
    ]
    used = set()
    for path in sources:
        used |= set(re.findall(r"\bacre_rt_\w+", without_comments(path.read_text())))
    listed = ENTRY.findall((root / "compiler/shared/runtime_entry.def").read_text())
    for name, effects in listed:
        if functions.get(name) != (effects == "Ends"):
            faults.append(
                f"runtime_entry.def: {name} is '{effects}', which is not what its declaration says"
            )
    runtime = "".join(path.read_text() for path in sorted((root / "runtime").rglob("*.[ch]")))
    for name in sorted(used - declared):
        if not name.endswith("_") and not re.search(rf"\b{name}\b", runtime):
            faults.append(f"compiler: {name} is nothing of the runtime's")
    for name in sorted(set(functions) - used):
        if not OF_THE_RUNTIME.match(name):
            faults.append(
                f"abi.h: {name} is declared for generated code, and no code is generated that"
                " calls it"
            )
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
