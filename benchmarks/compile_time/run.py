#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What compiling costs: plain clang, an acre-cc of before and the one of this tree, side by side.

SQLite's amalgamation and Lua are compiled at -O2 by each compiler in turn, so that a machine that
is busy for a while is so for all of them.  Times are medians of user time; instructions are
callgrind's, of compiling Lua's lapi.c, which no other work on the machine changes.  Prints a table
and writes nothing. Exit status: 0; 1 if something failed; 77 if the sources cannot be fetched.
"""

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [
    os.path.join(ROOT, *part.split("/"))
    for part in ("benchmarks", "benchmarks/overhead", "tests/real")
]
sys.dont_write_bytecode = True
import common  # noqa: E402
import programs  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402

COUNTED = "lapi.c"


def user_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise toolchain.Failed(f"{' '.join(command)[:200]}\n{done.stderr[-1500:]}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def front_end(command):
    """The process that compiles, as the driver would start it."""
    said = subprocess.run([*command, "-###"], capture_output=True, text=True, check=True).stderr
    line = next(line for line in said.splitlines() if '"-cc1"' in line)
    return [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r'"((?:[^"\\]|\\.)*)"', line)]


def measure(program, compilers, rounds):
    """compiler -> the medians of user time over all files, in seconds."""
    tree, total = program.trees["plain"], dict.fromkeys(compilers, 0.0)
    for unit in program.units:
        times = {name: [] for name in compilers}
        for _ in range(rounds):
            for name, cc in compilers.items():
                command = [cc, *program.flags, "-c", tree.path(unit), "-o", os.devnull]
                times[name].append(user_time(command))
        for name, taken in times.items():
            total[name] += statistics.median(taken)
    return total


def count(program, compilers):
    """compiler -> instructions of compiling one file."""
    tree = program.trees["plain"]
    unit = next(unit for unit in program.units if os.path.basename(unit) == COUNTED)
    counts = {}
    for name, cc in compilers.items():
        command = front_end([cc, *program.flags, "-c", tree.path(unit), "-o", os.devnull])
        done, output = common.callgrind(command)
        if done.returncode:
            raise toolchain.Failed(done.stderr.decode(errors="replace")[-1500:])
        counts[name] = common.callgrind_total(output)
    return counts


def row(what, values, unit, scale):
    plain, latest = values["clang"], list(values.values())[-2]
    shown = " | ".join(
        f"{value / scale:,.2f} {unit} ({value / plain:.3f})" for value in values.values()
    )
    return f"| {what} | {shown} | {values['now'] / latest:.3f} |"


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre", default=os.path.join(ROOT, "build"), help="build directory")
    parser.add_argument("--before", help="an installed tree of before, with bin/acre-cc")
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument("--work", help="where the sources are; default: in the build directory")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-count", action="store_true", help="times only")
    parser.set_defaults(size=1)  # of a run of speedtest1, which there is none of here
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.work = os.path.abspath(
        options.work or os.path.join(options.acre, "benchmarks", "overhead")
    )
    return options


def main():
    options = parse_options()
    compilers = {"clang": options.clang}
    if options.before:
        compilers["before"] = os.path.join(options.before, "bin", "acre-cc")
    compilers["now"] = os.path.join(options.acre, "bin", "acre-cc")
    try:
        prepared = [programs.prepare_sqlite(options), programs.prepare_lua(options)]
        print(f"| -O2 | {' | '.join(compilers)} | now / {list(compilers)[-2]} |")
        print("|---|" + "---:|" * (len(compilers) + 1))
        for program in prepared:
            times = measure(program, compilers, options.rounds)
            print(row(f"{program.name}, user time", times, "s", 1), flush=True)
        if shutil.which("valgrind") and not options.no_count:
            print(row(f"{COUNTED}, instructions", count(prepared[1], compilers), "M", 1e6))
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return 77
    except toolchain.Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
