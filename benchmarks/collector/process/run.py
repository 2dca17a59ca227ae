#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how long programs with -facre-malloc=collected wait for malloc: in steps, with
ACRE_HEAP=whole, and for the C library's.

Runs pauses.c several times for each size and number of threads; of each figure the least counts,
because other programs run on the machine.  With one thread all runs do the same, so that of each
call of malloc the least counts, and then the longest: what interrupts a program does not come twice
at the same call.  The collector's own steps are taken from ACRE_TRACE, in a run of its own.  Writes
raw data to benchmarks/results/<date>-<machine>/collector-process.json and the page
docs/results/collector-process.md.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path[:0] = [str(ROOT / "benchmarks")]
import common  # noqa: E402

CASES = [
    (11, 1, 5),
    (11, 2, 5),
    (22.7, 1, 5),
    (22.7, 4, 3),
    (100, 1, 2),
    (400, 1, 1),
    (1000, 1, 1),
]  # MB in trees, threads, rounds
# Waiting threads with a megabyte of their stacks in use; MB outside the heap that refer to it; MB
# of numbers in it.
GROWTH = [
    (0, 0, 0),
    (1, 0, 0),
    (4, 0, 0),
    (16, 0, 0),
    (64, 0, 0),
    (0, 64, 0),
    (0, 256, 0),
    (0, 0, 512),
]
LARGE_MB = 1000  # only in steps, and twice: 1.5 GB, and 5 s of processor time each
MODES = {"in one pause": "whole", "in steps": "growth=8M", "C library": None}


def environment(mode, **more):
    return {**os.environ, **({"ACRE_HEAP": mode} if mode else {}), **more}


def measure(program, case, mode, runs, directory):
    """The least of each figure; longest_same_us: of the longest in two blocks of calls that
    follow each other."""
    best, blocks = {}, []
    for _ in range(runs):
        calls = pathlib.Path(directory) / "calls"
        done = subprocess.run(
            ["setarch", "-R", program, *map(str, case), calls],
            env=environment(mode),
            check=True,
            capture_output=True,
        )
        for name, value in json.loads(done.stdout).items():
            best[name] = min(value, best.get(name, value))
        longest = [int(line) for line in calls.read_text().split()]
        pairs = [max(pair) for pair in zip(longest, longest[1:])]
        blocks = [min(pair) for pair in zip(blocks, pairs)] if blocks else pairs
    return {**best, "longest_same_us": max(blocks) / 1000}


def steps(program, case, mode, runs, directory):
    """The longest step, and the longest that ends a collection, in microseconds."""
    longest = {}
    for _ in range(runs):
        trace = pathlib.Path(directory) / "trace"
        trace.unlink(missing_ok=True)
        subprocess.run(
            [program, *map(str, case)],
            env=environment(mode, ACRE_TRACE=str(trace)),
            check=True,
            capture_output=True,
        )
        found = {"increment": 0, "finish": 0, "count": 0}
        for line in trace.read_text().splitlines()[1:]:
            event = json.loads(line.rstrip(","))
            if event.get("ph") == "X" and event["name"] in found:
                found[event["name"]] = max(found[event["name"]], event["dur"])
                found["count"] += 1
        for name, value in found.items():
            longest[name] = min(value, longest.get(name, value))
    return longest


def growth(program, runs, directory):
    """The longest steps with more roots.  Each figure is the least of the runs."""
    rows, data = [], []
    for waiting, outside_mb, numbers_mb in GROWTH:
        case = (22.7, 1, 2, os.path.join(directory, "calls"), waiting, outside_mb, numbers_mb)
        s = steps(program, case, MODES["in steps"], runs, directory)
        data.append(
            {"waiting": waiting, "outside_mb": outside_mb, "numbers_mb": numbers_mb, "steps": s}
        )
        rows.append(
            f"| {waiting} | {outside_mb} | {numbers_mb} | {s['increment']:.0f} |"
            f" {s['finish']:.0f} |"
        )
    return rows, data


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre", type=pathlib.Path, default=ROOT / "build", help="the build directory (build)"
    )
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        program = os.path.join(directory, "pauses")
        subprocess.run(
            [
                options.acre / "bin" / "acre-cc",
                "-O2",
                "-facre-malloc=collected",
                str(HERE / "pauses.c"),
                "-o",
                program,
            ],
            check=True,
        )
        plain = os.path.join(directory, "plain")
        subprocess.run(
            ["clang-22", "-O2", str(HERE / "pauses.c"), "-o", plain, "-lpthread"], check=True
        )
        rows, data = [], []
        for case in CASES:
            is_large = case[0] >= LARGE_MB
            runs = options.runs if case[0] < 100 else 2 if is_large else max(3, options.runs // 2)
            for name, mode in MODES.items():
                if is_large and name != "in steps":
                    continue
                m = measure(program if mode else plain, case, mode, runs, directory)
                s = steps(program, case, mode, runs, directory) if mode else {}
                data.append(
                    {"mb": case[0], "threads": case[1], "mode": name, "calls": m, "steps": s}
                )
                same = f"{m['longest_same_us']:.0f}" if case[1] == 1 else ""
                own = f"{s['increment']:.0f} | {s['finish']:.0f}" if s else "|"
                rows.append(
                    f"| {case[0]} | {case[1]} | {name} | {same} | {m['longest_us']:.0f} |"
                    f" {m['within_999_us']:.0f} | {own} | {m['processor']:.2f} |"
                    f" {m['peak_mb']:.0f} |"
                )
        growth_rows, growth_data = growth(program, options.runs, directory)
    date = datetime.date.today().isoformat()
    common.write_data(
        common.RESULTS,
        "collector-process",
        {
            "date": date,
            "machine": common.machine(),
            "runs": options.runs,
            "cases": data,
            "growth": growth_data,
        },
    )
    page = [
        "# Pauses of programs with -facre-malloc=collected",
        "",
        (
            f"Generated by `benchmarks/collector/process/run.py --runs {options.runs}` on {date};"
            " do not edit."
        ),
        f"Machine: {common.machine()}; load over a minute {os.getloadavg()[0]:.1f}.",
        "",
        (
            "Complete binary trees of 4095 nodes, so many MB of them with headers, replaced one at"
            " a time (`pauses.c`), by the main thread and those that it starts."
        ),
        (
            "The program times each call of `malloc`. *Longest*: of each call the least of the"
            " runs, which do the same, and of these the longest. *Longest of a run*: with what"
            " interrupted"
        ),
        (
            "the program, as the rows of the C library show. *99.9 %* is of the calls that took"
            " longer than 1 µs. A step and the last one are timed by the"
        ),
        (
            "collector (`ACRE_TRACE`). All is elapsed time; of every figure the least of the runs:"
            " other programs ran on the machine. With"
        ),
        f"{LARGE_MB} MB only collections in steps are measured.",
        "",
        (
            "| MB | threads | collections | longest malloc, µs | longest of a run, µs | 99.9 %"
            " within, µs | longest step, µs | longest last step, µs | processor, s | peak, MB |"
        ),
        "|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
        "",
        (
            "How steps grow with roots: 22.7 MB in one thread, beside it threads that wait, each"
            " with a megabyte of its stack in use, megabytes outside"
        ),
        (
            "the heap in which each eighth word refers to it, and megabytes of arrays of numbers in"
            " the heap."
        ),
        "",
        (
            "| waiting threads | MB outside | MB of numbers | longest step, µs | longest last step,"
            " µs |"
        ),
        "|---:|---:|---:|---:|---:|",
        *growth_rows,
        "",
    ]
    (ROOT / "docs" / "results" / "collector-process.md").write_text("\n".join(page))


if __name__ == "__main__":
    main()
