#!/usr/bin/env python3
"""A page fits a screen and its links lead somewhere.

usage: pages.py ROOT     ROOT: the project's directory.

No line of a page is longer than 132 columns, but for what a program printed; no page of docs/design
longer than 150 lines, and every relative link names a file and, behind '#', one of its headings.
Exit status: 1 if one of these is not so, each said in a line.
"""

import pathlib
import re
import subprocess
import sys

COLUMNS, LINES = 132, 150
# Written by a program from what it measured, or a list that another test compares with the sources.
GENERATED = re.compile(
    r"docs/results/(?!README|decisions)|benchmarks/results/|docs/reference/constructs\.md"
)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(text):
    """What '#...' may name: the headings as GitHub writes them."""
    for heading in re.findall(r"^#+ (.+)$", text, flags=re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_faults(root, name):
    path = root / name
    text = path.read_text()
    lines = text.splitlines()
    prose = re.sub(r"```.*?```", lambda block: "\n" * block.group().count("\n"), text, flags=re.S)
    for number, line in enumerate(prose.splitlines(), 1):
        if len(line) > COLUMNS and not GENERATED.match(name):
            yield f"{name}:{number}: {len(line)} columns, more than {COLUMNS}"
    if name.startswith("docs/design/") and len(lines) > LINES:
        yield f"{name}: {len(lines)} lines, more than {LINES}: split it"
    for number, line in enumerate(prose.splitlines(), 1):
        if line.startswith("    ") and not line.lstrip().startswith(("-", "*")):
            continue  # a block of code
        for target, anchor in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            other = (path.parent / target).resolve() if target else path
            if re.match(r"\w+:", target):
                continue
            if not other.exists():
                yield f"{name}:{number}: the link leads nowhere: {target}"
            elif anchor and other.suffix == ".md" and anchor not in anchors(other.read_text()):
                yield f"{name}:{number}: {target} has no heading '#{anchor}'"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    tracked = subprocess.run(
        ["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    faults = [f for name in tracked if (root / name).is_file() for f in page_faults(root, name)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
