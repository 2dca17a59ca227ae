#!/usr/bin/env python3
"""Every source outside tests names its licence in an SPDX line at its head.

usage: spdx.py ROOT [--write]     Exit status 1 if a source lacks the line; --write puts it there.
The licence is what LICENSE says.  The line follows "#!"; tests open with their reason and have
none.
"""

import pathlib
import subprocess
import sys

C, HASH = (".c", ".h", ".cpp", ".def"), (".py", ".sh", ".cmake", ".cmake.in", ".awk")


def line_of(root, name):
    path = root / name
    if name.startswith("tests/") or not path.is_file():
        return None
    licence = (root / "LICENSE").read_text()[:400]
    assert "MIT" in licence, "LICENSE is not known: say its identifier here"
    text = "SPDX-License-Identifier: MIT"
    if name.endswith((".cpp", ".def")):
        return f"// {text}"
    if name.endswith(C):
        return f"/* {text} */"
    is_script = "." not in path.name and path.open("rb").read(2) == b"#!"
    if name.endswith(HASH) or path.name in ("CMakeLists.txt", "Makefile") or is_script:
        return f"# {text}"
    return None


def main():
    root, lacks = pathlib.Path(sys.argv[1]), []
    listing = ["git", "-C", root, "ls-files"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, names):
        line = line_of(root, name)
        if not line:
            continue
        text = (root / name).read_text()
        if "SPDX-License-Identifier" in text[:300]:
            continue
        lacks.append(f"{name}: no line 'SPDX-License-Identifier' at its head")
        if "--write" in sys.argv:
            head, rest = ("", text)
            if text.startswith("#!"):
                head, _, rest = text.partition("\n")
                head += "\n"
            (root / name).write_text(f"{head}{line}\n{rest}")
    print("\n".join(lacks), end="\n" if lacks else "")
    return 1 if lacks and "--write" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
