#!/usr/bin/env python3
"""The name of a lit test says how it ends, and a test of an abort expects the whole message.

tests/README.md has the ways in which a test may end.

usage: outcomes.py ROOT     ROOT: the project's directory.  Exit status: 1 if a test is wrong, each
said in a line.
"""
import pathlib
import re
import sys

SUITES = ["cli", "collected", "driver", "end_to_end", "pass", "plugin", "regression"]
FOLDERS = ["end_to_end", "plugin"]  # Each of their tests lies in the folder of its rule.
ALONE = {"end_to_end/constructs_page.test"}
ABORT = r"--expect-abort|not --crash|SIGABRT|\b134\b"
REJECT = r"-verify|not %(acre-cc|clang|opt)|status\.sh"
# Last word -> what the test must have, and what it must not have.
OUTCOMES = {
    "accepted": ("", ABORT + r"|expected-(error|warning)"),
    "rejected": (REJECT, ABORT),
    "warned": (r"expected-warning|warning:", ABORT),
    "aborts": (ABORT, r"expected-(error|warning)"),
}
# A message that is only looked into, by FileCheck alone or by the option of run_each_level.py.
PARTIAL = re.compile(r"not --crash .*\| *FileCheck\b.*|--expect-abort (?![A-Z0-9]* ?-o ).*")
OTHERS = re.compile(r"_(accepts?|rejects?|refuses?d?|warns?|aborts?|aborted|fails?)(?=_|$)")


def faults_of(name, path):
    """What is wrong with the name of the test at path."""
    last = path.stem.rsplit("_", 1)[-1]
    claim = path.stem[: -len(last) - 1] if last in OUTCOMES else path.stem
    other = OTHERS.search(claim)
    if other:
        words = ", ".join(OUTCOMES)
        yield f"{name}: '{other.group(1)}': an outcome is the last word, one of {words}"
    if last in OUTCOMES:
        wanted, unwanted = OUTCOMES[last]
        text = path.read_text()
        if not re.search(wanted, text):
            yield f"{name}: nothing in it is {last}: it should match {wanted}"
        if unwanted and re.search(unwanted, text):
            yield f"{name}: not all of it is {last}: it should not match {unwanted}"


def partial_messages(name, text):
    """Where the test whose text this is leaves a part of a message of an abort open."""
    runs = re.sub(r"\\\n\S* *RUN:", "", text)
    for line in runs.splitlines():
        found = PARTIAL.search(line) if "RUN:" in line else None
        if found:
            yield f"{name}: a part of the message is left open; %whole helps: {found.group()}"
    if "acre: fatal" in text and not re.search("%whole|--expect-abort", text):
        yield f"{name}: 'acre: fatal' is expected, but not by %whole nor --expect-abort"


def main():
    tests, faults = pathlib.Path(sys.argv[1]) / "tests", []
    for suite in SUITES:
        for path in sorted((tests / suite).rglob("*")):
            if path.suffix not in (".c", ".ll", ".test") or "Inputs" in path.parts:
                continue
            name = str(path.relative_to(tests))
            faults += faults_of(name, path)
            faults += partial_messages(name, path.read_text())
            if suite in FOLDERS and path.parent == tests / suite and name not in ALONE:
                faults.append(f"{name}: lies in no folder: each rule has its own")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
