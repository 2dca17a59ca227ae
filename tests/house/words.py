#!/usr/bin/env python3
"""Words that mean something else in a folder, or that are nobody's term, are rejected there.

usage: words.py ROOT     ROOT: the project's directory.  Exit status: 1 if a word is found, each
       said in a line.
"""

import pathlib
import re
import sys

# (folders, words, what to say instead); docs/glossary.md has the meanings.
RULES = [
    (
        ["runtime", "include"],
        r"acre_region_slot|region slot|slot of the (region )?table|acre_registry_\w*slot"
        r"|struct acre_region_entry \*slot\b|[Ss]lots? in state|occupant of a slot",
        "entry of the registry",
    ),
    (
        ["runtime/gc"],
        r"struct slot\b|slot_(table|chunk|cursor)|\bSLOT_",
        "handle entry",
    ),
    (
        ["runtime/gc"],
        r"\brevisit|\bturns\b|acre_gc_(runs?|track|outside)\b",
        "rescan, fair lock, thread cache, dirty, foreign",
    ),
    (
        ["runtime", "include", "compiler/pass", "compiler/shared"],
        r"\bgranules?_?(shift|mask)|64 KiB granule|granules? \(64|granules?(\[| in the filter)"
        r"|slot in the granule|granule index",
        "filter area, leaf",
    ),
    (["runtime"], r"[Rr]ecord pages?\b|RECORD_PAGE", "record block"),
    (["runtime"], r"acre_mark_(root|noaccess|undefined|defined)", "acre_sanitizer_..."),
    (
        ["compiler/pass", "include"],
        r"RecordCop(y|ies)|packed records?\b|record_copies",
        "aggregate: a record is the shadow word",
    ),
    (
        ["runtime", "compiler", "include"],
        r"\b[Ss]tand-ins?\b|STAND_IN|StandIn",
        "interceptor",
    ),
    (
        ["compiler/pass"],
        r"\b[Aa]loof|\w*Settled\b|\bsettled[A-Z]",
        "asksActive; set by deletes, or final",
    ),
    (["compiler/pass/bounds"], r"\b[Rr]oots?(Of)?\b|\brootOf\b", "base"),
    (["compiler/pass"], r"\bisCounted\b", "hasKnownTripCount: a count is a region's"),
    (["runtime/counting"], r"\bsettle on\b", "agree on: pins are settled"),
    (["runtime", "include"], r"\bforeign/holders|acre_holders_", "held locals"),
    (
        ["include", "README.md", "ARCHITECTURE.md", "docs"],
        r"[Aa]renas? with keys",
        "keyed region: an arena is Hanson's",
    ),
    (
        ["runtime", "compiler"],
        r"those above it in this table|only itself and lower ones|of a higher layer",
        "earlier ones, a later layer",
    ),
]
SUFFIXES = (".c", ".h", ".cpp", ".def", ".md")
# What was measured, and the page that says which words are not used.
EXEMPT = re.compile(r"docs/(results/|glossary\.md)")


def files_of(root, folder):
    path = root / folder
    if path.is_file():
        return [path]
    return [
        each
        for each in sorted(path.rglob("*"))
        if each.suffix in SUFFIXES and not EXEMPT.match(str(each.relative_to(root)))
    ]


def main():
    root, faults = pathlib.Path(sys.argv[1]), []
    for folders, words, instead in RULES:
        for path in [path for folder in folders for path in files_of(root, folder)]:
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
