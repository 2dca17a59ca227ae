#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What acre-cc -O2 costs programs that use no regions: code size, compile time, run time,
instructions.

Six programs, unmodified, are built with clang -O2 and with acre-cc -O2 and measured side by side,
the two taking turns.  Writes raw data to benchmarks/results/<date>-<machine>/overhead.json and the
table to docs/results/overhead.md.
Exit status: 0; 1 if something failed; 77 if the sources cannot be fetched.
"""

import argparse
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "benchmarks"), os.path.join(ROOT, "tests", "real")]
sys.dont_write_bytecode = True
import common  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402
from programs import KINDS, PREPARED, run  # noqa: E402

PROGRAMS = (
    "SQLite (the amalgamation with its own `speedtest1`), Lua (four scripts), jq (two queries),"
    " Redis (the server reads a log of commands, then ends), Duktape and Jim Tcl (a script each),"
    " unmodified; scripts and commands are in `benchmarks/overhead`. Most are interpreters, which"
    " store pointers all the time. No region exists, so every barrier takes its shortest way: this"
    " is the price of instrumenting a whole program."
)
COMPARED = ("Lua", "jq", "Duktape", "Jim Tcl")  # the others write how long they took


def time_of(function, *arguments):
    """Seconds of processor time that the processes take which the function starts."""
    before = os.times()
    function(*arguments)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def text_size(program, kind):
    """Bytes of code, and of the tables of where it is patched.  What units share is linked once."""
    total, shared = 0, {}
    for path in program.objects(kind):
        listing = run(["size", "-A", path]).stdout
        for name, size in re.findall(r"^(\.text\S*|acre_\S+_patches)\s+(\d+)", listing, re.M):
            if ".acre." in name:
                shared[name] = int(size)
            else:
                total += int(size)
    return total + sum(shared.values())


def instructions(program, kind, arguments):
    done = run(
        [
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            program.binary(kind),
            *arguments,
        ]
    )
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def measure(program, options):
    result = {"compile": {kind: [] for kind in KINDS}, "text": {}, "run": {}, "instructions": {}}
    for _ in range(options.runs):
        for kind in KINDS:
            result["compile"][kind].append(time_of(program.compile, kind))
    for kind in KINDS:
        program.link(kind)
        result["text"][kind] = text_size(program, kind)
    for name, (long, short) in program.runs.items():
        outputs = {kind: run([program.binary(kind), *short]).stdout for kind in KINDS}
        if program.name in COMPARED and outputs["plain"] != outputs["acre"]:
            raise toolchain.Failed(f"{program.name}, {name}: the outputs differ")
        result["run"][name] = {kind: [] for kind in KINDS}
        for _ in range(options.runs):
            for kind in KINDS:
                took = time_of(run, [program.binary(kind), *long])
                result["run"][name][kind].append(took)
        result["instructions"][name] = (
            {kind: instructions(program, kind, short) for kind in KINDS}
            if shutil.which("valgrind")
            else None
        )
    return result


def ratio_of_times(samples):
    """Median of CPU time, acre over plain, with the ratio of each neighbouring pair as spread."""
    pairs = [acre / plain for plain, acre in zip(samples["plain"], samples["acre"])]
    plain, acre = (statistics.median(samples[kind]) for kind in KINDS)
    return plain, acre, acre / plain, min(pairs), max(pairs)


def table(results):
    lines = [
        "| program | what | clang -O2 | acre-cc -O2 | ratio | pairs from–to |",
        "|---|---|---:|---:|---:|---|",
    ]

    def times(name, what, samples):
        plain, acre, ratio, low, high = ratio_of_times(samples)
        lines.append(
            f"| {name} | {what} | {plain:.2f} s | {acre:.2f} s | {ratio:.3f} |"
            f" {low:.3f}–{high:.3f} |"
        )

    def counts(name, what, values, unit):
        lines.append(
            f"| {name} | {what} | {values['plain'] / unit[0]:,.1f} {unit[1]} |"
            f" {values['acre'] / unit[0]:,.1f} {unit[1]} |"
            f" {values['acre'] / values['plain']:.3f} | |"
        )

    for name, result in results.items():
        counts(name, "code size (.text)", result["text"], (1024, "KiB"))
        times(name, "compile time", result["compile"])
        for run_name in result["run"]:
            times(name, f"run time, {run_name}", result["run"][run_name])
            if result["instructions"][run_name]:
                counts(
                    name, f"instructions, {run_name}", result["instructions"][run_name], (1e6, "M")
                )
    return "\n".join(lines) + "\n"


def write_page(path, data):
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f"# What acre-cc costs programs that use no regions\n\nGenerated by `{data['command']}`"
            f" on {data['date']}; do not edit.\nMachine: {data['machine']}; one-minute load"
            f" {data['load'][0]:.1f} before and {data['load'][1]:.1f} after.\nVersions:"
            f" {'; '.join(data['versions'])}.\n\n{PROGRAMS}\n\n{table(data['results'])}\n"
            f"Times are the median processor time of {data['runs']} runs, the two compilers taking"
            " turns; the last column is the least and the greatest ratio of two neighbouring"
            " runs. Instructions are callgrind's, on a smaller input. Code that units share is"
            " counted once, as it is linked; the tables of where stores are patched are counted"
            " as code.\n"
        )


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre", default=os.path.join(ROOT, "build"), help="build directory")
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument(
        "--work", help="where the programs are built; default: in the build directory"
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="part of a program's name")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--size", type=int, default=25, help="speedtest1's --size")
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "overhead.md"))
    parser.add_argument("--from", dest="measured", help="raw data to write the page from")
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.work = os.path.abspath(
        options.work or os.path.join(options.acre, "benchmarks", "overhead")
    )
    return options


def measure_all(options):
    os.environ.pop("ACRE_VERIFY", None)  # the verifier's own time is not what is measured
    os.environ["CCACHE_DISABLE"] = "1"  # Jim Tcl's makefile uses ccache where there is one
    load = [os.getloadavg()[0]]
    results, used = {}, []
    for prepare in PREPARED:
        if options.only and not any(name in prepare.__name__ for name in options.only):
            continue
        program = prepare(options)
        used.append(os.path.basename(program.trees["plain"].source))
        results[program.name] = measure(program, options)
    load.append(os.getloadavg()[0])
    data = {
        "command": "benchmarks/overhead/run.py",
        "date": time.strftime("%Y-%m-%d"),
        "machine": common.machine(),
        "load": load,
        "versions": [run([options.clang, "--version"]).stdout.splitlines()[0], *used],
        "runs": options.runs,
        "results": results,
    }
    common.write_data(options.results, "overhead", data)
    return data


def main():
    options = parse_options()
    try:
        if options.measured:
            with open(options.measured, encoding="utf-8") as file:
                data = json.load(file)
        else:
            data = measure_all(options)
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return 77
    except toolchain.Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    print(table(data["results"]))
    write_page(options.page, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
