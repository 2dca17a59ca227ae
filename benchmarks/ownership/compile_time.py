# SPDX-License-Identifier: MIT
"""What compiling costs with the analysis of owners, against plain clang on the same files."""

import glob
import importlib.util
import os
import re
import resource
import statistics
import subprocess

import versions

STAGES = {"checked only": ["-fsyntax-only"], "compiled, -O2": ["-O2", "-c", "-o", "/dev/null"]}
OWN = [
    "-I" + os.path.join(versions.ROOT, "include"),
    "-DACRE_NO_SHORT_NAMES",
    "-D_GNU_SOURCE",
    "-include",
    "acre/own.h",
]  # own.h comes before what a file defines for the C library


def processor_time(command):
    """Seconds, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, stderr=done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr


def measure(commands_of, runs):
    """commands_of: a function of "plain" or "acre", a command for each file.  What one file takes
    is compared with what it takes a moment later, and of each file the median counts: {"plain":
    seconds, "acre": seconds, "ratios": [of a run], "reports": how many}
    """
    taken = {"plain": [], "acre": []}  # of each run, the seconds of each file
    reports = 0
    for _ in range(runs):
        for times in taken.values():
            times.append([])
        for commands in zip(commands_of("plain"), commands_of("acre")):
            for kind, command in zip(taken, commands):
                seconds, said = processor_time(command)
                taken[kind][-1].append(seconds)
                reports += kind == "acre" and len(re.findall(r"\[-W\S*acre|error:", said))
    result = {kind: sum(map(statistics.median, zip(*times))) for kind, times in taken.items()}
    result["ratios"] = [
        sum(acre) / sum(plain) for plain, acre in zip(taken["plain"], taken["acre"])
    ]
    result["reports"] = reports // runs
    return result


def examples(options, runs):
    units = [path for program in ("webserver", "overlay") for path in versions.sources(program)]
    compilers = {
        "plain": [options.clang, "-I" + os.path.join(versions.ROOT, "include")],
        "acre": [os.path.join(options.acre, "bin", "acre-cc")],
    }
    return {
        f"the two servers, {stage}": measure(
            lambda kind: [[*compilers[kind], "-std=gnu17", *flags, unit] for unit in units], runs
        )
        for stage, flags in STAGES.items()
    }


def load_overhead():
    path = os.path.join(versions.ROOT, "benchmarks", "overhead", "run.py")
    found = importlib.util.spec_from_file_location("overhead", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def prepare_zlib(overhead, options):
    trees = overhead.prepare_trees(options, "zlib")
    units = sorted(os.path.basename(path) for path in glob.glob(trees["plain"].path("*.c")))
    return overhead.Program("zlib", trees, ("-std=gnu99", "-O2", "-DHAVE_UNISTD_H"), units, (), {})


def real_programs(options, runs):
    """SQLite, Lua and zlib, with own.h included from outside, so that they are analysed."""
    overhead, result = load_overhead(), {}
    options.work = os.path.join(options.acre, "benchmarks", "overhead")
    options.size = 1  # of a run that is not made here
    for found in (
        overhead.prepare_sqlite(options),
        overhead.prepare_lua(options),
        prepare_zlib(overhead, options),
    ):
        flags = [flag for flag in found.flags if flag != "-w"]
        for stage, more in STAGES.items():

            def commands(kind, more=more):
                tree = found.trees[kind]
                return [
                    [
                        tree.cc,
                        *(flag for flag in flags if flag != "-O2"),
                        *OWN,
                        *more,
                        tree.path(unit),
                    ]
                    for unit in found.units
                ]

            result[f"{found.name}, {stage}"] = measure(commands, runs)
    return result
