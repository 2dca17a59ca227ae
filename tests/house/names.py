#!/usr/bin/env python3
"""What pages name in `code` exists: files as files, identifiers somewhere in the sources.

usage: names.py ROOT     ROOT: the project's directory.  Exit status: 1 if a name is not found, each
       said in a line.
"""

import pathlib
import re
import subprocess
import sys

PAGES = [
    "docs/design/**/*.md",
    "docs/glossary.md",
    "compiler/**/README.md",
    "runtime/**/README.md",
    "tests/README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
]
FILE = re.compile(r"[\w./*-]+\.(c|h|cpp|def|py|md|ll|test)|(\.?\w[\w.-]*/)+[\w.*-]*")
IDENTIFIER = re.compile(r"\w*_\w+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+")
# Names of other people's programs, of the system, or of files that a program writes.
OTHERS = re.compile(
    r"/(proc|sys|usr|dev)/|.*\.so$|build/|GC_malloc|MADV_|MAP_|PROT_|RLIMIT_|UFFD|PAGEMAP|SIG|SYS_|"
    r"O_DIRECT|_FORTIFY|__asan|__tsan|__lsan|__libc"
)


def main():
    root, faults = pathlib.Path(sys.argv[1]), []
    tracked = subprocess.run(
        ["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    sources = [
        name for name in tracked if not name.endswith((".md", ".svg")) and (root / name).is_file()
    ]
    words = set()
    for name in sources:
        words |= set(re.findall(r"\w+", (root / name).read_text(errors="replace")))

    def is_file(name):
        """Also a folder, and from any folder on; an asterisk stands for no slash."""
        text = re.escape(name.rstrip("/")).replace(r"\*", "[^/]*")
        pattern = re.compile(rf"(.*/)?{text}(/.*)?")
        return any(map(pattern.fullmatch, tracked))

    for pattern in PAGES:
        for page in sorted(root.glob(pattern)):
            text = re.sub(
                r"```.*?```",
                lambda block: "\n" * block.group().count("\n"),
                page.read_text(),
                flags=re.S,
            )
            for number, line in enumerate(text.splitlines(), 1):
                for name in re.findall(r"`([^`]+)`", line):
                    if OTHERS.match(name):
                        continue
                    lost = (
                        not is_file(name)
                        if FILE.fullmatch(name)
                        else IDENTIFIER.fullmatch(name) and name not in words
                    )
                    if lost:
                        faults.append(f"{page.relative_to(root)}:{number}: `{name}` is not found")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
