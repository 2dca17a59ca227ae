# SPDX-License-Identifier: MIT
"""How much of the programs is about who owns what: lines with a word of own.h, and what the
compiler infers."""

import glob
import json
import os
import re
import subprocess
import tempfile

import versions

WORDS = (
    "unique",
    "borrowed",
    "refcounted",
    "sameregion",
    "parentptr",
    "traditional",
    "inregion",
    "inparent",
)
CALLS = (
    "acre_swap",
    "acre_take",
    "acre_alias",
    "rc_alias",
    "rc_drop",
    "acre_open",
    "acre_key_drop",
)
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
# Of the analysis (compiler/plugin/ownership), each place counted once.
LOANS = (
    "LentToBorrowed",
    "LentToPlain",
    "LentToLibrary",
    "KeptInBorrowed",
    "KeptInPlain",
    "AliasesWritten",
)


def own_files(directory):
    return [
        path
        for pattern in ("*.c", "*.h")
        for path in sorted(glob.glob(os.path.join(versions.ROOT, "examples", directory, pattern)))
        if os.path.basename(path) != "discipline.h"
    ]


def count_words(directory):
    lines = annotated = called = 0
    uses = dict.fromkeys(WORDS + CALLS, 0)
    for path in own_files(directory):
        with open(path, encoding="utf-8") as file:
            text = NOT_CODE.sub(lambda found: "\n" * found[0].count("\n"), file.read())
        for line in filter(str.strip, text.splitlines()):
            found = re.findall(r"\w+", line)
            lines += 1
            annotated += any(word in WORDS for word in found)
            called += any(word in CALLS for word in found)
            for word in found:
                if word in uses:
                    uses[word] += 1
    return {"lines": lines, "annotated": annotated, "called": called, "uses": uses}


def count_loans(acre, sources):
    loans = dict.fromkeys(LOANS, 0)
    with tempfile.TemporaryDirectory() as directory:
        for source in sources:
            target = os.path.join(directory, "unit.o")
            subprocess.run(
                [
                    os.path.join(acre, "bin", "acre-cc"),
                    "-std=gnu17",
                    "-save-stats=obj",
                    "-c",
                    source,
                    "-o",
                    target,
                ],
                check=True,
            )
            name = os.path.splitext(os.path.basename(source))[0] + ".stats"
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                said = json.load(file)
            for name in LOANS:
                loans[name] += said.get("acre-ownership." + name, 0)
    return loans


def measure(acre):
    result = {}
    for name in ("events", "webserver", "overlay", "scheme"):
        result[name] = count_words(name)
        result[name]["loans"] = count_loans(
            acre, [path for path in own_files(name) if path.endswith(".c")]
        )
    return result
