#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the shapes of programs that the literature tries allocators with: with
-facre-malloc=collected and =quarantine, and with glibc's malloc, mimalloc and jemalloc, which are
preloaded where they are installed.

All runs of a shape follow each other; of each figure the least of the runs counts.  Processor time
is the user's and the system's, memory the largest resident set.  Instructions are of smaller runs
under callgrind, where Linux does not watch pages: collections are whole there, and what the kernel
does is not counted.  Writes raw data to
benchmarks/results/<date>-<machine>/collector-shapes.json and the page
docs/results/collector-shapes.md.
"""

import ctypes.util
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path[:0] = [str(ROOT / "benchmarks")]
import common  # noqa: E402

RUNS = 3
COUNTED_PART = 20  # of the rounds, under callgrind
ROUNDS = {
    "buffers": 1000000,
    "temporary": 3000000,
    "growing": 4000000,
    "larson": 5000000,
    "producer": 3000000,
    "stress": 1000000,
    "scratch": 2000000,
    "batches": 5000000,
    "chunks": 1000000,
    "text": 400000,
    "cache": 3000000,
    "numbers": 60000,
    "table": 1000000,
}
WITH_THREADS = ["buffers", "larson", "producer", "stress", "scratch", "batches", "chunks"]
CASES = [(name, 1) for name in ROUNDS] + [(name, n) for name in WITH_THREADS for n in (2, 4)]
PEERS = ["mimalloc", "jemalloc"]


def mallocs():
    """Name -> (kind of program, library to preload)."""
    found = {"glibc": ("plain", None)}
    for peer in PEERS:
        library = ctypes.util.find_library(peer)
        if library:
            found[peer] = ("plain", library)
    return {**found, "Acre": ("collected", None), "quarantine": ("quarantine", None)}


def build(acre, directory):
    for name in ROUNDS:
        source = str(HERE / f"{name}.c")
        own = str(acre / "bin" / "acre-cc")
        for compiler, kind in (
            (["clang-22"], "plain"),
            ([own, "-facre-malloc=collected"], "collected"),
            ([own, "-facre-malloc=quarantine"], "quarantine"),
        ):
            out = str(directory / f"{name}-{kind}")
            subprocess.run([*compiler, "-O2", source, "-o", out, "-lpthread"], check=True)


def run(command, library):
    """The sum that it printed, and what it took."""
    environment = {**os.environ, **({"LD_PRELOAD": library} if library else {})}
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, env=environment, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{command}: exit status {child.returncode}")
        out.seek(0)
        printed, peak_kb = out.read().split()
        return printed, {
            "user": usage.ru_utime,
            "system": usage.ru_stime,
            "processor": usage.ru_utime + usage.ru_stime,
            "peak_kb": int(peak_kb),
        }


def count(command, library):
    environment = {**os.environ, **({"LD_PRELOAD": library} if library else {})}
    done, output = common.callgrind(command, env=environment)
    if done.returncode:
        raise SystemExit(f"callgrind {command}: {done.stderr}")
    return common.callgrind_total(output)


def measure_case(directory, name, threads, allocators):
    rounds = ROUNDS[name]
    row = {"name": name, "threads": threads, "with": {}}
    output = set()
    for _ in range(RUNS):
        for allocator, (kind, library) in allocators.items():
            command = [str(directory / f"{name}-{kind}"), str(threads), str(rounds)]
            printed, took = run(command, library)
            if threads == 1:
                output.add(printed)
            best = row["with"].setdefault(allocator, took)
            for figure, value in took.items():
                best[figure] = min(value, best[figure])
    if len(output) > 1:
        raise SystemExit(f"{name}: outputs differ: {output}")
    for allocator, (kind, library) in allocators.items():
        if threads == 1:
            part = rounds // COUNTED_PART
            command = [str(directory / f"{name}-{kind}"), "1", str(part)]
            row["with"][allocator]["instructions"] = count(command, library)
    return row


def measure(acre):
    allocators = mallocs()
    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(temporary)
        build(acre, directory)
        rows = [measure_case(directory, *case, allocators) for case in CASES]
    return {
        "command": "benchmarks/collector/shapes/run.py",
        "load": os.getloadavg()[0],
        "rows": rows,
    }


def ratio(row, allocator, figure):
    glibc, own = row["with"]["glibc"].get(figure), row["with"][allocator].get(figure)
    return own / max(glibc, 0.005) if glibc is not None and own is not None else None


def mean(ratios):
    product = 1
    for value in ratios:
        product *= value
    return product ** (1 / len(ratios))


FIGURES = [("processor", "time"), ("peak_kb", "memory"), ("instructions", "instructions")]


def write_page(path, data):
    others = [name for name in data["rows"][0]["with"] if name != "glibc"]
    heads = [f"{name}: {title}" for _, title in FIGURES for name in others]
    lines = [
        "# Shapes of allocation under -facre-malloc=collected",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit. {data['machine']}; load"
        f" over a minute {data['load']:.1f}.",
        "",
        "The programs of `benchmarks/collector/shapes` do little else than allocate and free. Each"
        " figure is a multiple of glibc's, from the least of"
        f" {RUNS} runs; *time* is processor",
        "time, user and system, *memory* the largest resident set, *instructions* are of a"
        f" {COUNTED_PART}th of the rounds under callgrind, where collections are whole. Callgrind"
        " counts each byte that `rep stos` clears. *Acre* is `-facre-malloc=collected`,"
        " *quarantine* the other mode. Worst first.",
        "",
        "| shape | threads | glibc, s | glibc, MB | " + " | ".join(heads) + " |",
        "|---|---:|---:|---:|" + "---:|" * len(heads),
    ]
    for row in sorted(data["rows"], key=lambda r: -ratio(r, "Acre", "processor")):
        glibc = row["with"]["glibc"]
        cells = []
        for figure, _ in FIGURES:
            for name in others:
                value = ratio(row, name, figure)
                cells.append(f"{value:.2f}" if value is not None else "")
        lines.append(
            f"| {row['name']} | {row['threads']} | {glibc['processor']:.2f} |"
            f" {glibc['peak_kb'] / 1024:.1f} | " + " | ".join(cells) + " |"
        )
    means = []
    for figure, _ in FIGURES:
        for name in others:
            values = [ratio(row, name, figure) for row in data["rows"]]
            means.append(f"{mean([v for v in values if v is not None]):.2f}")
    lines += ["| geometric mean | | | | " + " | ".join(means) + " |", ""]
    path.write_text("\n".join(lines))


if __name__ == "__main__":
    sys.exit(
        common.main("collector-shapes", __doc__, ["clang-22", "valgrind"], measure, write_page)
    )
