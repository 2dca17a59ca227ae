"""What compiling costs with the analysis of owners, against plain clang on the same files."""
import glob
import importlib.util
import os
import re
import subprocess

import versions

STAGES = {"checked only": ["-fsyntax-only"], "compiled, -O2": ["-O2", "-c", "-o", "/dev/null"]}
OWN = ["-I" + os.path.join(versions.ROOT, "include"), "-DACRE_NO_SHORT_NAMES",
       "-D_GNU_SOURCE", "-include", "acre/own.h"]  # own.h comes before what a file defines for the C library


def processor_time(commands):
    """Seconds of all, and what they said."""
    before, said = os.times(), ""
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        said += done.stderr
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, command, stderr=done.stderr)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, said


def measure(commands_of, runs):
    """commands_of: a function of "plain" or "acre".  {"plain": [seconds], "acre": [seconds], "reports": how many}"""
    result = {"plain": [], "acre": [], "reports": 0}
    for _ in range(runs):
        for kind in ("plain", "acre"):
            seconds, said = processor_time(commands_of(kind))
            result[kind].append(seconds)
            if kind == "acre":
                result["reports"] = len(re.findall(r"\[-W\S*acre|error:", said))
    return result


def examples(options, runs):
    units = [path for program in ("webserver", "overlay") for path in versions.sources(program)]
    compilers = {"plain": [options.clang, "-I" + os.path.join(versions.ROOT, "include")],
                 "acre": [os.path.join(options.acre, "bin", "acre-cc")]}
    return {f"the two servers, {stage}":
            measure(lambda kind: [[*compilers[kind], "-std=gnu17", *flags, unit] for unit in units], runs)
            for stage, flags in STAGES.items()}


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
    for found in (overhead.prepare_sqlite(options), overhead.prepare_lua(options), prepare_zlib(overhead, options)):
        flags = [flag for flag in found.flags if flag != "-w"]
        for stage, more in STAGES.items():
            def commands(kind, more=more):
                tree = found.trees[kind]
                return [[tree.cc, *(flag for flag in flags if flag != "-O2"), *OWN, *more, tree.path(unit)]
                        for unit in found.units]
            result[f"{found.name}, {stage}"] = measure(commands, runs)
    return result
