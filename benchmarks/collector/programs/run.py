#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real programs, unmodified, with -facre-malloc=collected and =quarantine beside malloc of the C
library, mimalloc and bdwgc: processor time, peak memory and the longest pause; the output is
compared byte for byte.

The programs are those of tests/real, built where the tests build them (in the build directory).
malloc, mimalloc and bdwgc are one program, built by plain clang; mimalloc and bdwgc
(bdwgc_malloc.c) are preloaded.  Of each figure the least of the runs counts, the columns taking
turns, because other programs run on the machine.  Installs nothing: what is missing (libgc-dev,
libmimalloc2.0) is skipped, and the page says so.  Writes raw data to
benchmarks/results/<date>-<machine>/collector-programs.json and the page
docs/results/collector-programs.md.  Exit status: 0; 1 if an output differs or a program fails; 77
if no source can be fetched.
"""

import argparse
import ctypes.util
import datetime
import importlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "benchmarks"), os.path.join(ROOT, "tests", "real")]
sys.dont_write_bytecode = True
import common  # noqa: E402
import run as real  # noqa: E402
import sources  # noqa: E402
import sqlite_script  # noqa: E402
import toolchain  # noqa: E402

SKIPPED = 77
ACRE, ACRE_WHOLE, QUARANTINE = "Acre", "Acre, whole", "Acre, quarantine"
BDWGC, BDWGC_FREES = "bdwgc", "bdwgc, free"
JQ_QUERY = (
    "group_by(.kind) | map({kind: .[0].kind, count: length, names: (map(.name) | unique | length),"
    " total: (map(.size) | add), deep: (map(.nested | [recurse(.below?; . != null) | .value?] |"
    " length) | add)})"
)


# -- Jobs ------------------------------------------------------------------------------------------


def text():
    """Words of which few are frequent, the same each time."""
    rng = random.Random(20010620)
    words = [
        "".join(rng.choice("etaoinshrdlucmfw") for _ in range(rng.randint(2, 9)))
        for _ in range(8000)
    ]
    lines = (
        " ".join(
            words[min(int(rng.paretovariate(0.7)), len(words)) - 1]
            for _ in range(rng.randint(4, 14))
        )
        for _ in range(60000)
    )
    return "\n".join(lines).encode() + b"\n"


def jobs():
    """Name, the module of tests/real, command below its tree, standard input."""
    jq = importlib.import_module("real_jq")
    trees = os.path.join(ROOT, "benchmarks", "overhead", "lua", "binary_trees.lua")
    return (
        (
            "Lua, records",
            "real_lua",
            ["lua", os.path.join(HERE, "records.lua"), "60000", "3"],
            None,
        ),
        ("Lua, trees", "real_lua", ["lua", trees, "14"], None),
        (
            "SQLite, script",
            "real_sqlite",
            ["shell", ":memory:"],
            sqlite_script.script(6000).encode(),
        ),
        ("jq, groups", "real_jq", ["jq", "-c", JQ_QUERY], jq.records(30000)),
        ("gawk, words", "real_gawk", ["gawk", "-f", os.path.join(HERE, "words.awk")], text()),
        (
            "MuJS, tables",
            "real_mujs",
            ["build/release/mujs", os.path.join(HERE, "tables.js")],
            None,
        ),
    )


# -- Columns ---------------------------------------------------------------------------------------


def build_preloads(options, directory):
    """What stands before the C library's malloc, and what is missing."""
    preloads, missing = {}, []
    mimalloc = ctypes.util.find_library("mimalloc")
    shim = os.path.join(directory, "bdwgc_malloc.so")
    built = subprocess.run(
        [
            options.clang,
            "-O2",
            "-fPIC",
            "-shared",
            os.path.join(HERE, "bdwgc_malloc.c"),
            "-o",
            shim,
            "-lgc",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if mimalloc:
        preloads["mimalloc"] = mimalloc
    else:
        missing.append("mimalloc (package libmimalloc2.0)")
    if built.returncode == 0:
        preloads["bdwgc"] = shim
    else:
        missing.append("bdwgc (package libgc-dev)")
    return preloads, missing


def make_columns(preloads):
    """Name, which tree, environment."""
    columns = [("malloc", "plain", {})]
    if "mimalloc" in preloads:
        columns.append(("mimalloc", "plain", {"LD_PRELOAD": preloads["mimalloc"]}))
    if "bdwgc" in preloads:
        columns += [
            (BDWGC, "plain", {"LD_PRELOAD": preloads["bdwgc"], "GC_MARKERS": "1"}),
            (
                BDWGC_FREES,
                "plain",
                {"LD_PRELOAD": preloads["bdwgc"], "GC_MARKERS": "1", "BDWGC_FREES": "1"},
            ),
        ]
    return columns + [
        (ACRE, "collected", {}),
        (ACRE_WHOLE, "collected", {"ACRE_HEAP": "whole"}),
        (QUARANTINE, "quarantine", {}),
    ]


def build_trees(program, options):
    trees = {}
    for kind in ("collected", "quarantine"):
        os.environ["ACRE_FLAGS"] = f"-facre-malloc={kind}"
        trees["plain"], trees[kind] = real.build_trees(program, options, kind)
    return trees


# -- Runs ------------------------------------------------------------------------------------------


class Runner:
    """Runs programs with the launcher of the evaluation, and keeps files in a directory of its
    own."""

    def __init__(self, clang, directory):
        self.launcher, self.usage, self.note = (
            os.path.join(directory, name) for name in ("launch", "usage", "note")
        )
        subprocess.run(
            [
                clang,
                "-std=gnu17",
                "-O2",
                os.path.join(ROOT, "benchmarks", "evaluation", "launch.c"),
                "-o",
                self.launcher,
            ],
            check=True,
        )

    def run(self, command, cwd, stdin, env):
        """Exit status and output, and the processor time and peak memory of one run."""
        settings = [f"{name}={value}" for name, value in env.items()]
        done = subprocess.run(
            [self.launcher, self.usage, *settings, *command],
            cwd=cwd,
            input=stdin or b"",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode > 125:
            raise toolchain.Failed(
                f"{' '.join(command)}: exit status"
                f" {done.returncode}\n{done.stdout[-2000:].decode(errors='replace')}"
            )
        with open(self.usage, encoding="utf-8") as file:
            user, system, peak, *_ = map(int, file.read().split())
        return (done.returncode, done.stdout), {"seconds": (user + system) / 1e6, "peak_kb": peak}

    def longest_pause(self, column, command, cwd, stdin, env):
        """Microseconds that the collector took at once, as it measures itself, and collections;
        in a run of its own."""
        is_bdwgc = column in (BDWGC, BDWGC_FREES)
        if os.path.exists(self.note):
            os.remove(self.note)
        self.run(
            command, cwd, stdin, {**env, "BDWGC_PAUSE" if is_bdwgc else "ACRE_TRACE": self.note}
        )
        with open(self.note, encoding="utf-8") as file:
            note = file.read()
        if is_bdwgc:
            nanoseconds, collections = map(int, note.split())
            return nanoseconds / 1000, collections
        return max(map(float, re.findall(r'"dur":([\d.]+)', note)), default=0.0), note.count(
            '"name":"finish"'
        )


def measure(job, trees, columns, runs, runner):
    name, _, (program, *arguments), stdin = job
    expected, result = None, {}
    for _ in range(runs):
        for column, kind, env in columns:
            command, cwd = [trees[kind].path(program), *arguments], trees[kind].directory
            output, figures = runner.run(command, cwd, stdin, env)
            expected = output if expected is None else expected
            if output != expected:
                raise toolchain.Failed(
                    f"{name}: with {column} it says something else, exit status {output[0]}: "
                    f"{toolchain.first_difference(expected[1], output[1])}"
                )
            if column not in ("malloc", "mimalloc"):
                figures["pause_us"], figures["collections"] = runner.longest_pause(
                    column, command, cwd, stdin, env
                )
            best = result.setdefault(column, figures)
            result[column] = {key: min(value, best[key]) for key, value in figures.items()}
    return {"columns": result, "output_bytes": len(expected[1])}


# -- Page ------------------------------------------------------------------------------------------


def rows(results):
    for name, result in results.items():
        base = result["columns"]["malloc"]
        for column, m in result["columns"].items():
            pause = f"{m['pause_us'] / 1000:.2f} | {m['collections']}" if "pause_us" in m else "|"
            yield (
                f"| {name} | {column} | {m['seconds']:.2f} | {m['seconds'] / base['seconds']:.2f} |"
                f" {m['peak_kb'] / 1024:.1f} | {m['peak_kb'] / base['peak_kb']:.2f} | {pause} |"
            )


def write_page(path, data):
    load = data["load"]
    lines = [
        "# Real programs with -facre-malloc=collected",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        (
            f"Machine: {data['machine']}; one-minute load {load[0]:.1f} before and {load[1]:.1f}"
            " after."
        ),
        *(
            [f"Not measured, because not installed: {', '.join(data['missing'])}."]
            if data["missing"]
            else []
        ),
        "",
        (
            "The programs of `tests/real`, unmodified, at `-O2`. *malloc* is the C library's;"
            " *mimalloc* and *bdwgc* stand before it by `LD_PRELOAD`, in the"
        ),
        (
            "same program. With *bdwgc* (one marker) `free` does nothing, as with Acre: what is"
            " still referred to stays; with *bdwgc, free* it gives memory"
        ),
        (
            "back at once. *Acre, whole*: `ACRE_HEAP=whole`, each collection in one pause; *Acre,"
            " quarantine*: `-facre-malloc=quarantine`. **All"
            " outputs are the same, byte for byte.** Of every figure the"
        ),
        (
            f"least of {data['runs']} runs. Time is of the processor; *peak* is resident memory of"
            " the whole program; the longest pause is elapsed time,"
        ),
        "as the collector measures itself: of bdwgc a collection, of Acre a step of one.",
        "",
        (
            "| job | memory from | time, s | to malloc | peak, MB | to malloc | longest pause, ms |"
            " collections |"
        ),
        "|---|---|---:|---:|---:|---:|---:|---:|",
        *rows(data["results"]),
        "",
        "Jobs: `benchmarks/collector/programs/run.py`, `jobs`. Skipped: "
        + ("; ".join(data["skipped"]) or "none")
        + ".",
        "",
    ]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre", default=os.path.join(ROOT, "build"), help="the build directory (build)"
    )
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--jobs", default="", help="only jobs with this in their name; no page is written"
    )
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.work = os.path.join(options.acre, "tests", "real")
    return options


def main():
    options, before = parse_options(), os.getloadavg()[0]
    results, skipped = {}, []
    with tempfile.TemporaryDirectory() as directory:
        (preloads, missing), runner = build_preloads(options, directory), Runner(
            options.clang, directory
        )
        for job in jobs():
            if options.jobs not in job[0]:
                continue
            try:
                results[job[0]] = measure(
                    job,
                    build_trees(importlib.import_module(job[1]), options),
                    make_columns(preloads),
                    options.runs,
                    runner,
                )
                print("\n".join(rows({job[0]: results[job[0]]})), flush=True)
            except sources.Unavailable as reason:
                skipped.append(f"{job[0]}: {reason}")
            except toolchain.Failed as failure:
                print(failure, file=sys.stderr)
                return 1
    print("\n".join(skipped), file=sys.stderr)
    if not results:
        return SKIPPED
    data = {
        "command": f"benchmarks/collector/programs/run.py --runs {options.runs}",
        "date": datetime.date.today().isoformat(),
        "machine": common.machine(),
        "runs": options.runs,
        "load": (before, os.getloadavg()[0]),
        "missing": missing,
        "skipped": skipped,
        "results": results,
    }
    if not options.jobs:
        common.write_data(common.RESULTS, "collector-programs", data)
        write_page(os.path.join(ROOT, "docs", "results", "collector-programs.md"), data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
