#!/usr/bin/env python3
"""Words that mean something else in a folder, or that are nobody's term, are rejected there.

usage: words.py ROOT     ROOT: the project's directory.  Exit status: 1 if a word is found, each
       said in a line.
"""

import pathlib
import re
import sys

# (folder, words, what to say instead); docs/glossary.md has the meanings.
RULES = [
    (
        "runtime",
        r"acre_region_slot|region slot|slot of the (region )?table",
        "entry of the registry",
    ),
    ("runtime/gc", r"struct slot\b|slot_(table|chunk|cursor)|\bSLOT_", "handle entry"),
    (
        "runtime/gc",
        r"\brevisit|\bturns\b|acre_gc_(runs?|track|outside)\b",
        "rescan, fair lock, thread cache, dirty, foreign",
    ),
    ("runtime", r"\bgranules?_?(shift|mask)|64 KiB granule", "filter"),
    ("runtime", r"[Rr]ecord pages?\b|RECORD_PAGE", "record block"),
    ("runtime", r"acre_mark_(root|noaccess|undefined|defined)", "acre_sanitizer_..."),
    ("compiler/pass", r"RecordCop(y|ies)", "AggregateCopies: a record is the shadow word"),
    ("runtime", r"[Ss]tand-ins?\b", "interceptor"),
    (
        "compiler/pass",
        r"\b[Aa]loof|\w*Settled\b|\bsettled[A-Z]",
        "asksActive; set by deletes, or final",
    ),
]


def main():
    root, faults = pathlib.Path(sys.argv[1]), []
    for folder, words, instead in RULES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp", ".def"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.search(words, line)
                if found:
                    faults.append(
                        f"{path.relative_to(root)}:{number}: '{found.group()}' here means:"
                        f" {instead}"
                    )
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
