#!/usr/bin/env python3
"""Ownership's classes are small, and what follows a function says nothing.

usage: classes.py ROOT     ROOT: the project's directory.  Exit status: 1 if a class below
compiler/plugin/ownership has more than 30 methods, or Flow.h or Flow.cpp has what only the reporter
is to decide: when something is said, once or again, and with which notes.  Each is said in a
line.
"""

import pathlib
import re
import sys

METHODS = 30
CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{()]*\{")


def without_comments(text):
    text = re.sub(r"//.*", "", text)
    return re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def members(text, start):
    """The declarations of a class whose body begins at start, without bodies of their own."""
    depth, found = 1, ""
    for char in text[start:]:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            break
        if depth == 1:
            found += ";" if char == "}" else char
    return found.split(";")


def is_method(declaration):
    """A declaration with parameters; template arguments may have parentheses too."""
    for _ in range(3):
        declaration = re.sub(r"<[^<>]*>", "", declaration)
    return re.search(r"\w\s*\(", declaration.partition("=")[0]) is not None


def main():
    root, faults = pathlib.Path(sys.argv[1]) / "compiler" / "plugin" / "ownership", []
    for path in sorted(root.glob("*.h")) + sorted(root.glob("*.cpp")):
        text = without_comments(path.read_text())
        for found in CLASS.finditer(text):
            count = sum(map(is_method, members(text, found.end())))
            if count > METHODS:
                faults.append(f"{path.name}: {found.group(1)} has {count} methods")
        if path.stem == "Flow" and re.search(r"\bReports\.|Says\.note\w*\(|IsQuiet|\bLost\b", text):
            faults.append(
                f"{path.name}: what follows a function leaves it to the reporter to speak"
            )
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
