#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trees on Acre's collected heap, bdwgc, malloc and free, Go and Java: time, memory and how long
the program stood still.

Each peer runs GCBench's trees and complete binary trees (trees.c, trees.go, Trees.java).  What each
thousand allocations took is noted: what is above the median is taken for a pause, so collectors
that work in other threads, at allocations or in one step are measured alike.  Acre's heap gets so
much that its process takes as much as bdwgc's, and twice that.  For each thousand allocations the
least of several runs counts.

Installs nothing: what is missing (libgc-dev, libmimalloc-dev, golang-go, default-jdk-headless) is
skipped, and said. Writes raw data to benchmarks/results/<date>-<machine>/collector-peers.json and
the page docs/results/collector-peers.md.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import common  # noqa: E402

TASKS = ("gcbench", "binary")
WINDOWS_MS = (1, 10, 50)


def call(command, **settings):
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **settings
    )
    if done.returncode:
        raise RuntimeError(
            (done.stderr or done.stdout).strip()[-300:] or f"exit status {done.returncode}"
        )
    return done.stdout


def build(directory, acre):
    """Commands by what was built, and why the others were not."""
    source, flags = HERE / "trees.c", ["-O2", "-std=gnu17", "-Wall", "-Wextra"]
    clang = shutil.which("clang-22") or "cc"
    jobs = {
        "acre": [
            clang,
            *flags,
            "-DUSE_ACRE",
            "-I",
            ROOT / "include",
            source,
            acre / "lib" / "libacre.a",
            "-lpthread",
        ],
        "bdwgc": [clang, *flags, "-DUSE_BDWGC", source, "-lgc"],
        "malloc": [clang, *flags, source],
        "mimalloc": [clang, *flags, source, "-lmimalloc"],
    }
    built, skipped = {}, {}
    for name, command in jobs.items():
        try:
            call([*command, "-o", directory / name])
            built[name] = [directory / name]
        except (OSError, RuntimeError) as reason:
            skipped[name] = str(reason)
    try:
        call(
            ["go", "build", "-o", directory / "go", HERE / "trees.go"],
            env={**os.environ, "GOCACHE": str(directory / "cache")},
        )
        built["go"] = [directory / "go"]
    except (OSError, RuntimeError) as reason:
        skipped["Go"] = str(reason)
    try:
        call(["javac", "-d", directory, HERE / "Trees.java"])
        built["java"] = [shutil.which("java"), "-cp", directory]
    except (OSError, RuntimeError) as reason:
        skipped["Java"] = str(reason)
    return built, skipped


def peers(built, limits):
    """Name, what it is, command before the task, what follows it, environment.  limits: Acre's,
    from acre_limits()."""
    yield from (
        ("bdwgc", "bdwgc, one marker", built.get("bdwgc"), [], {"GC_MARKERS": "1"}),
        ("bdwgc parallel", "bdwgc, a marker for each processor", built.get("bdwgc"), [], {}),
        (
            "bdwgc incremental",
            "bdwgc, incremental",
            built.get("bdwgc"),
            [],
            {"GC_MARKERS": "1", "GC_ENABLE_INCREMENTAL": "1"},
        ),
        ("Acre, as bdwgc", "Acre, as much memory as bdwgc", built.get("acre"), limits[""], {}),
        (
            "Acre, as bdwgc, whole",
            "Acre, as much memory, each collection in one step",
            built.get("acre"),
            limits["WHOLE"],
            {"WHOLE": "1"},
        ),
        (
            "Acre, links",
            "Acre, cells linked by headers of one word, as much memory as bdwgc",
            built.get("acre"),
            limits["LINKS"],
            {"LINKS": "1"},
        ),
        (
            "Acre, twice",
            "Acre, twice as much",
            built.get("acre"),
            [2 * each for each in limits[""]],
            {},
        ),
        (
            "Acre, twice, whole",
            "Acre, twice as much, each collection in one step",
            built.get("acre"),
            [2 * each for each in limits["WHOLE"]],
            {"WHOLE": "1"},
        ),
        ("malloc", "malloc and free of glibc", built.get("malloc"), [], {}),
        ("mimalloc", "malloc and free of mimalloc", built.get("mimalloc"), [], {}),
        ("Go", "Go", built.get("go"), [], {}),
        (
            "Java G1",
            "Java, G1",
            built.get("java") and [*built["java"], "-XX:+UseG1GC", "Trees"],
            [],
            {},
        ),
        (
            "Java ZGC",
            "Java, ZGC",
            built.get("java") and [*built["java"], "-XX:+UseZGC", "Trees"],
            [],
            {},
        ),
    )


def run(command, task, depth, rest, environment, usage):
    """What the program printed, with processor seconds and peak memory as the launcher saw them."""
    launcher = usage.parent / "launch"
    text = call(
        [launcher, usage, *command, task, depth, *rest],
        env={**os.environ, **environment},
        timeout=300,
    )
    result = json.loads(text)
    user, system, peak = map(int, usage.read_text().split()[:3])
    return {**result, "cpu": (user + system) / 1e6, "peak": peak}


def least(runs):
    """The least of each tick where all runs have as many."""
    return [min(column) for column in zip(*(each["ticks"] for each in runs))]


def utilisation(ticks, window):
    """The least share of a window: ticks stand for their time, of which what is above the median
    was not the program's."""
    usual = statistics.median(ticks)
    first, span, lost, worst = 0, 0, 0, 0
    for tick in ticks:
        span += tick
        lost += max(0, tick - usual)
        while span - ticks[first] >= window:
            span -= ticks[first]
            lost -= max(0, ticks[first] - usual)
            first += 1
        worst = max(worst, min(window, lost) / window)
    return 1 - worst


def acre_limits(built, task, depth, usage):
    """Limits with which Acre takes as much memory as bdwgc does; where that does not run, what
    trees of the usual depth need."""
    try:
        peer = (
            run(built["bdwgc"], task, depth, [], {"GC_MARKERS": "1"}, usage)
            if built.get("acre")
            else None
        )
    except (KeyError, RuntimeError):
        peer = None
    if not peer:
        return {"": [24000000], "WHOLE": [24000000], "LINKS": [24000000]}
    limits = {}
    for name in ("", "WHOLE", "LINKS"):

        def peak_of(limit):
            try:
                return run(built["acre"], task, depth, [limit], {name: "1"} if name else {}, usage)[
                    "peak"
                ]
            except (RuntimeError, subprocess.TimeoutExpired):
                return None

        limit = common.limit_of_same_peak(peak_of, peer["heap"], peer["peak"])
        limits[name] = [limit] if limit else []
    return limits


def summary(what, runs):
    ticks = least(runs)
    usual = statistics.median(ticks)
    ordered = sorted(ticks)
    return {
        "what": what,
        "sum": runs[0]["sum"],
        "cpu": min(each["cpu"] for each in runs),
        "elapsed": min(each["ns"] for each in runs) / 1e9,
        "peak": min(each["peak"] for each in runs),
        "longest": ordered[-1] - usual,
        "p999": ordered[int(len(ordered) * 0.999)] - usual,
        "utilisation": [utilisation(ticks, window * 1e6) for window in WINDOWS_MS],
    }


def measure(built, depth, rounds, usage):
    results, skipped = {}, {}
    for task in TASKS:
        limits = acre_limits(built, task, depth, usage)
        compared = [each for each in peers(built, limits) if each[2]]
        runs = {each[0]: [] for each in compared}
        for _ in range(rounds):  # they take turns, because the machine's speed changes
            for name, _, command, rest, environment in compared:
                if f"{task}, {name}" in skipped:
                    continue
                try:
                    if command is built.get("acre") and not rest:
                        raise RuntimeError("out of memory with as much as bdwgc takes")
                    runs[name].append(run(command, task, depth, rest, environment, usage))
                except (RuntimeError, subprocess.TimeoutExpired) as reason:
                    skipped[f"{task}, {name}"] = str(reason)
        results[task] = {
            name: summary(what, runs[name])
            for name, what, *_ in compared
            if f"{task}, {name}" not in skipped
        }
        for name, result in results[task].items():
            print(
                task,
                name,
                {key: value for key, value in result.items() if key != "what"},
                flush=True,
            )
    return results, skipped


def page(data):
    lines = [
        "# Trees on collectors and allocators",
        "",
        (
            f"Generated by `benchmarks/collector/peers/run.py --depth {data['depth']} --rounds"
            f" {data['rounds']}` on {data['date']}; do not edit."
        ),
        f"Machine: {data['machine']}; load over a minute {data['load']}.",
        "",
        (
            "The same trees are made and dropped by each (`benchmarks/collector/peers`); their"
            " answers agree. They take turns. Acre has the limit with"
        ),
        (
            "which its process takes at most as much memory as bdwgc's. Processor time is of all"
            " threads; Java's holds its start and compiling. A pause is what a thousand allocations"
            " took above the median of all: the least"
        ),
        (
            f"of {data['rounds']} runs for each. Utilisation is the least share of any stretch of"
            " so many ms that was not a pause."
        ),
        "",
    ]
    for task, results in data["results"].items():
        lines += [
            f"## {task}",
            "",
            "| | processor, s | elapsed, s | peak, MB | longest pause, ms | 99.9 % within, ms |"
            " utilisation of "
            + ", of ".join(f"{each} ms" for each in WINDOWS_MS)
            + ", % |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for result in results.values():
            share = " / ".join(f"{100 * each:.0f}" for each in result["utilisation"])
            lines.append(
                f"| {result['what']} | {result['cpu']:.2f} | {result['elapsed']:.2f} |"
                f" {result['peak'] / 1e3:.1f} | {result['longest'] / 1e6:.2f} |"
                f" {result['p999'] / 1e6:.2f} | {share} |"
            )
        lines.append("")
    lines += [f"Not measured: {name}: {reason}." for name, reason in data["skipped"].items()]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre", type=pathlib.Path, default=ROOT / "build", help="the build directory (build)"
    )
    parser.add_argument("--depth", type=int, default=16, help="of the largest trees (16)")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        call(
            [
                "cc",
                "-O2",
                ROOT / "benchmarks" / "evaluation" / "launch.c",
                "-o",
                directory / "launch",
            ]
        )
        built, skipped = build(directory, given.acre)
        results, failed = measure(built, given.depth, given.rounds, directory / "usage")
    for task, found in results.items():
        if len({each["sum"] for each in found.values()}) > 1:
            sys.exit(f"run.py: the answers of {task} differ")
    data = {
        "date": datetime.date.today().isoformat(),
        "machine": common.machine(),
        "load": f"{os.getloadavg()[0]:.1f}",
        "depth": given.depth,
        "rounds": given.rounds,
        "results": results,
        "skipped": {**skipped, **failed},
    }
    common.write_data(common.RESULTS, "collector-peers", data)
    (ROOT / "docs" / "results" / "collector-peers.md").write_text(page(data), encoding="utf-8")


if __name__ == "__main__":
    main()
