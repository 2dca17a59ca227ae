#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what the compiler says of the corpus with the verdicts that stand in it.

A case begins with a line `// right`, `// wrong: why`, `// leak: what` or `// stale: what`, which
was written before the compiler was asked, and goes on to the next such line.  What the compiler
says about a line of a case is said about the case.  A wrong case wants an error, a leak or a stale
one the warning of that group and no error, a right case nothing.  `(known: why)` behind the verdict
marks a case that is judged otherwise.  It counts as wrongly judged, and is an error of the test
only when that ends.

    judge.py COMPILER [OPTION...] -- FILE...
"""

import re
import subprocess
import sys

VERDICT = re.compile(r"// (right|wrong|leak|stale)\b(.*)")
REPORT = re.compile(r"^(.+?):(\d+):\d+: (error|warning): (.*)$", re.M)
BARS = {"wrong": 0.0, "leak": 0.05, "stale": 0.05, "right": 0.02}
MEANING = {"wrong": "wrong accepted", "leak": "leaks silent", "stale": "stale ones silent",
           "right": "right ones reported"}
FLAGS = {"leak": "[-Wacre-leak]", "stale": "[-Wacre-stale]"}


class Case:
    def __init__(self, path, line, verdict, remark):
        self.path, self.line, self.verdict, self.remark = path, line, verdict, remark
        self.known = "(known" in remark
        self.reports = []

    def as_it_should(self):
        kinds = {kind for kind, _ in self.reports}
        if self.verdict == "wrong":
            return "error" in kinds
        if self.verdict in FLAGS:  # and not rejected for another reason
            flag = FLAGS[self.verdict]
            return "error" not in kinds and any(flag in said for _, said in self.reports)
        return not kinds


def cases_of(path):
    cases = [Case(path, 0, "right", ": what stands before the first case")]
    with open(path) as file:
        for number, line in enumerate(file, 1):
            found = VERDICT.match(line)
            if found:
                cases.append(Case(path, number, *found.groups()))
    return cases


def judge(compiler, path):
    """The cases of a file with what the compiler reports about them."""
    cases = cases_of(path)
    run = subprocess.run(compiler + ["-fsyntax-only", "-ferror-limit=0", path],
                         capture_output=True, text=True)
    reports = REPORT.findall(run.stderr)
    # One that ends otherwise than by what it says has judged nothing.
    if run.returncode != int(any(kind == "error" for _, _, kind, _ in reports)):
        sys.exit(f"{path}: the compiler ends with {run.returncode}:\n{run.stderr[-2000:]}")
    for where, line, kind, message in reports:
        if where != path:
            sys.exit(f"{where}:{line}: outside of the corpus: {message}")
        above = [case for case in cases if case.line < int(line)]
        above[-1].reports.append((kind, f"{line}: {kind}: {message}"))
    return cases


def main():
    arguments = sys.argv[1:]
    split = arguments.index("--")
    cases = [case for path in arguments[split + 1:] for case in judge(arguments[:split], path)]
    unexpected = 0
    for case in cases:
        if case.as_it_should() == case.known:
            unexpected += 1
            print(f"{case.path}:{case.line}: {case.verdict}{case.remark}, but:")
            said = ["    " + message for _, message in case.reports]
            print("\n".join(said or ["    nothing is said"]))
    missed = 0
    for verdict, meaning in MEANING.items():
        of = [case for case in cases if case.verdict == verdict]
        other = sum(not case.as_it_should() for case in of)
        missed += other > BARS[verdict] * len(of)
        share = 100 * other / max(len(of), 1)
        print(f"{meaning}: {other} of {len(of)} ({share:.1f} %, bar {100 * BARS[verdict]:.0f} %)")
    sys.exit(1 if unexpected or missed else 0)


main()
