#!/usr/bin/env python3
"""What a function of the runtime needs of its caller is asserted.

A header says it in a sentence of the function's comment: "Needs the lock.", "Needs size > 0.".  The
body then has an ACRE_ASSERT.  "Needs no ..." says what a function does without, and is no
precondition.

usage: preconditions.py RUNTIME [FOLDER...]     RUNTIME: the directory; FOLDER: below it, which are
not looked at Exit status: 1 if one asserts nothing, each said in a line.
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"^/\*.*?\*/", re.M | re.S)
NEEDS = re.compile(
    r"\bNeeds (?!no\b)|\bWith (the|its) [^.:]*\b(lock|locked|held|stopped)\b|\b[Nn]ot nested\b"
    r"|\bcaller (vouches|holds)\b|\bNot for two threads\b"
)
FUNCTION = re.compile(r"\b(\w+)\(")


def declarations(text):
    """(number of the line, comment, name) of each function with a comment of its own."""
    for comment in COMMENT.finditer(text):
        after = text[comment.end() :]
        line = text.count("\n", 0, comment.start()) + 1
        said = " ".join(comment.group().replace(" * ", " ").split())
        declaration = re.match(r"\n(?!#|\n|/\*)([^;{]*)[;{]", after)
        name = FUNCTION.search(declaration.group(1)) if declaration else None
        if name and not declaration.group(1).startswith("typedef"):
            yield line, said, name.group(1)


def body(name, texts):
    """The function's definition in one of the texts, or null."""
    for text in texts:
        found = re.search(
            rf"^[A-Za-z_](?:[^\n;{{}}]*\W)?{name}\([^;{{}}]*\)[^;{{}}]*\{{", text, re.M
        )
        if found:
            line_end = text.index("\n", found.end())
            end = line_end if text[line_end - 1] == "}" else text.index("\n}", found.end())
            return text[found.start() : end]
    return None


def main():
    root, left_out, faults = pathlib.Path(sys.argv[1]), sys.argv[2:], []
    for header in sorted(root.rglob("*.h")):
        path = header.relative_to(root)
        if any(path.is_relative_to(folder) for folder in left_out):
            continue
        text, source = header.read_text(), header.with_suffix(".c")
        texts = [text] + ([source.read_text()] if source.exists() else [])
        for line, said, name in declarations(text):
            if not NEEDS.search(said):
                continue
            definition = body(name, texts)
            if definition is None:
                faults.append(f"{path}:{line}: {name} is not defined beside its header")
            elif "ACRE_ASSERT(" not in definition:
                faults.append(f"{path}:{line}: {name} needs something, and asserts nothing")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
