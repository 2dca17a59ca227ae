# SPDX-License-Identifier: MIT
"""Existing C programs, ported to owners by scripts: what the words cost (Tables 1 and 2 of
"Experience With Safe Manual Memory-Management in Cyclone").

Columns: own, the program as it is by clang -O2; unchecked, the port by acre-cc -fno-acre; checked,
the port by acre-cc -facre-strict=own, which must accept it without a warning.  Writes raw data to
benchmarks/results/<date>-<machine>/owner-ports.json and docs/results/owner-ports.md.  Exit status:
0; 1 if a program failed.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# The program module of the foreign programs finds the recipes of this directory.
sys.path[:0] = [
    HERE,
    *(
        os.path.join(ROOT, *parts)
        for parts in (
            ("benchmarks",),
            ("benchmarks", "evaluation"),
            ("benchmarks", "foreign"),
            ("benchmarks", "programs"),
            ("benchmarks", "ports"),
            ("tests", "real"),
        )
    ),
]
sys.dont_write_bytecode = True
import columns as known_columns  # noqa: E402
import common  # noqa: E402
import measure  # noqa: E402
import owners_page  # noqa: E402
import program as foreign  # noqa: E402
import programs  # noqa: E402
import sources  # noqa: E402

RECIPES = os.listdir(os.path.join(HERE, "recipes"))
NAMES = sorted(name.removesuffix("_port.py") for name in RECIPES if name.endswith("_port.py"))
COMPILER = os.path.join(HERE, "compiler.py")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7, help="runs of each program in each column")
    parser.add_argument(
        "--compilations", type=int, default=5, help="how often each file is compiled for its time"
    )
    parser.add_argument("--programs", nargs="+", choices=NAMES, default=NAMES, metavar="PROGRAM")
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "owner-ports.md"))
    parser.add_argument("--from", dest="measured", help="raw data to write the page from")
    options = common.parse_programs(parser, "owners")
    options.further_runs = 0
    return options


def columns_of(options):
    acre_cc = os.path.join(options.acre, "bin", "acre-cc")
    checked = ("-facre-strict=own",)
    return (
        known_columns.Column("own", "as it is, clang -O2", programs.Mode("own", options.clang)),
        known_columns.Column(
            "unchecked", "the port, -fno-acre", programs.Mode("unchecked", acre_cc, ("-fno-acre",))
        ),
        known_columns.Column("checked", "the port", programs.Mode("checked", acre_cc, checked)),
    )


def noting(column, directory):
    """The same column, by a compiler that notes what it compiles, and where it does."""
    log, compiler = (os.path.join(directory, column.name + end) for end in (".compiled", "-cc"))
    for left in (log, os.path.join(directory, "tree-" + column.name)):
        shutil.rmtree(left, ignore_errors=True)
    with open(log, "w", encoding="utf-8"), open(compiler, "w", encoding="utf-8") as script:
        script.write(f'#!/bin/sh\nexec {COMPILER} {log} {column.mode.compiler} "$@"\n')
    os.chmod(compiler, 0o755)
    mode = programs.Mode(column.mode.name, compiler, column.mode.options)
    return known_columns.Column(column.name, column.what, mode), log


def processor_time(entry):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = list(entry["words"])
    if "-o" in words:
        words[words.index("-o") + 1] = os.devnull
    subprocess.run(words, cwd=entry["directory"], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compiled(log):
    """What was compiled, by the name of the source, without the trials of configure scripts; the
    last one if there are several."""
    with open(log, encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    return {
        os.path.basename(entry["source"]): entry
        for entry in entries
        if os.path.isdir(entry["directory"])
        and os.path.exists(os.path.join(entry["directory"], entry["source"]))
    }


def measure_compiling(logs, times):
    """Seconds that all files take in each column: sums of medians; the columns take turns."""
    entries = {name: compiled(log) for name, log in logs.items()}
    common_sources = set.intersection(*(set(each) for each in entries.values()))
    samples = {name: {source: [] for source in common_sources} for name in entries}
    for source in sorted(common_sources):
        for _ in range(times):
            for name, each in entries.items():
                samples[name][source].append(processor_time(each[source]))
    return {
        "files": len(common_sources),
        **{
            name: sum(statistics.median(taken) for taken in each.values())
            for name, each in samples.items()
        },
    }


def compare_checks(program, modes):
    """What its own tests say of the port, and where that is not what they say of the program."""
    said = {name: program.recipe.check(program.tree(modes[name])) for name in ("own", "checked")}
    plain, checked = said["own"], said["checked"]
    differ = sorted(key for key in {*plain, *checked} if plain.get(key) != checked.get(key))
    return {"tests": len(plain), "differ": differ}


def build_noting(program, options, launcher):
    """The binaries, and the logs of what was compiled, by column."""
    binaries, logs, failures = [], {}, {}
    for column in columns_of(options):
        noted, logs[column.name] = noting(column, program.work)
        binary = measure.Binary(program, noted, options.work, launcher)
        if reason := measure.attempt(binary.build) or measure.attempt(binary.check_answer):
            failures[column.name] = reason
        else:
            binaries.append(binary)
    return binaries, logs, failures


def measure_program(program, options, launcher):
    binaries, logs, failures = build_noting(program, options, launcher)
    by_name = {binary.column.name: binary for binary in binaries}
    is_whole = not failures
    return {
        "memory": program.recipe.MEMORY,
        "version": os.path.basename(program.source),
        "changes": program.changes,
        "runs": {key: " ".join(words) for key, words in program.recipe.RUNS.items()},
        "time": measure.measure_times(binaries, options, failures),
        "instructions": {name: sum(binary.counts()) for name, binary in by_name.items()},
        "checks": (
            compare_checks(program, {binary.column.name: binary.column.mode for binary in binaries})
            if is_whole
            else {}
        ),
        "compiling": measure_compiling(logs, options.compilations) if is_whole else {},
        "failures": failures,
    }


def measure_all(options):
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "LD_PRELOAD"):
        os.environ.pop(name, None)
    launcher = measure.build_launcher(options.clang, options.work)
    data = {
        "command": f"benchmarks/owners/run.py --runs {options.runs}",
        "date": time.strftime("%Y-%m-%d"),
        "machine": common.machine(),
        "load": [os.getloadavg()[0]],
        "programs": {},
    }
    for name in options.programs:
        print(f"-- {name}", flush=True)
        try:
            program = foreign.Program(name, True, options)
        except sources.Unavailable as reason:
            data["programs"][name] = {"skipped": str(reason)}
            continue
        result = data["programs"][name] = measure_program(program, options, launcher)
        for column, reason in result["failures"].items():
            print(f"{name}, {column}: {reason}", file=sys.stderr, flush=True)
        print(owners_page.row(name, result), flush=True)
        common.write_data(options.results, "owner-ports", data)
    data["load"].append(os.getloadavg()[0])
    common.write_data(options.results, "owner-ports", data)
    return data


def main():
    options = parse_options()
    if options.measured:
        with open(options.measured, encoding="utf-8") as file:
            data = json.load(file)
    else:
        data = measure_all(options)
    owners_page.write(options.page, data)
    return 1 if any(result.get("failures") for result in data["programs"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
