# SPDX-License-Identifier: MIT
"""What acre-cc -O2 costs programs that use no regions: code size, compile time, run time,
instructions.

SQLite and Lua, unmodified, are built with clang -O2 and with acre-cc -O2 and measured side by side,
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

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("plain", "acre")
LUA_WORK = {
    "binary_trees": ("14", "9"),
    "calls": ("33", "20"),
    "strings": ("150", "10"),
    "numbers": ("500", "50"),
}


class Program:
    """One program: its tree for each compiler, what to compile, and what to run (long to time,
    short to count)."""

    def __init__(self, name, trees, flags, units, libraries, runs):
        self.name, self.trees, self.flags, self.units, self.libraries, self.runs = (
            name,
            trees,
            flags,
            units,
            libraries,
            runs,
        )

    def commands(self, kind, extra=()):
        tree = self.trees[kind]
        for unit in self.units:
            yield [
                tree.cc,
                *self.flags,
                *extra,
                "-c",
                tree.path(unit),
                "-o",
                tree.path(unit + ".o"),
            ]

    def binary(self, kind):
        return self.trees[kind].path("program")

    def link(self, kind):
        objects = [self.trees[kind].path(unit + ".o") for unit in self.units]
        run([self.trees[kind].cc, *objects, "-o", self.binary(kind), *self.libraries])


def run(command, **options):
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, **options
    )
    if done.returncode:
        raise toolchain.Failed(
            f"{' '.join(command)[:200]}: status {done.returncode}\n{done.stderr[-1500:]}"
        )
    return done


def prepare_trees(options, package, unneeded=()):
    source = sources.fetch(os.path.join(options.work, "sources"), package)
    trees = {}
    for kind, cc in zip(KINDS, (options.clang, os.path.join(options.acre, "bin", "acre-cc"))):
        trees[kind] = toolchain.Tree(
            kind, cc, source, os.path.join(options.work, package, kind), ""
        )
        trees[kind].prepare(unneeded)
    return trees


def prepare_sqlite(options):
    trees = prepare_trees(options, "sqlite3", ("www", "doc", "art"))
    plain = trees["plain"]
    plain.run("./configure", f"CC={plain.cc}", "CFLAGS=-O2", "--disable-readline", "--disable-tcl")
    plain.make("sqlite3.c")
    for tree in trees.values():
        for name in ("sqlite3.c", "sqlite3.h"):
            if tree is not plain:
                shutil.copy(plain.path(name), tree.path(name))
        shutil.copy(tree.path("test", "speedtest1.c"), tree.path("speedtest1.c"))
    runs = {
        "speedtest1": (
            ["--size", str(options.size), "--singlethread", ":memory:"],
            ["--size", "2", "--singlethread", ":memory:"],
        )
    }
    return Program(
        "SQLite",
        trees,
        ("-O2", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-w"),
        ["sqlite3.c", "speedtest1.c"],
        ("-lm",),
        runs,
    )


def prepare_lua(options):
    trees = prepare_trees(options, "lua5.4")
    for tree in trees.values():
        with open(tree.path("src", "lua5.4-deb-multiarch.h"), "w", encoding="utf-8") as file:
            file.write('#define DEB_HOST_MULTIARCH "none"\n')
    units = sorted(
        os.path.relpath(path, trees["plain"].directory)
        for path in glob.glob(trees["plain"].path("src", "*.c"))
        if os.path.basename(path) != "luac.c"
    )
    runs = {}
    for name, (long, short) in LUA_WORK.items():
        script = os.path.join(HERE, "lua", name + ".lua")
        runs[name] = ([script, long], [script, short])
    return Program(
        "Lua",
        trees,
        ("-std=gnu99", "-O2", "-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX", "-w"),
        units,
        ("-lm", "-ldl", "-Wl,-E"),
        runs,
    )


def time_of(commands, **options):
    before = os.times()
    start = time.monotonic()
    for command in commands:
        run(command, **options)
    after = os.times()
    return {
        "wall": time.monotonic() - start,
        "cpu": (
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        ),
    }


def text_size(program, kind):
    """Bytes of code, and of the tables of where it is patched.  What units share is linked once."""
    total, shared = 0, {}
    for unit in program.units:
        listing = run(["size", "-A", program.trees[kind].path(unit + ".o")]).stdout
        for name, size in re.findall(r"^(\.text\S*|acre_\S+_patches)\s+(\d+)", listing, re.M):
            if ".acre." in name:
                shared[name] = int(size)
            else:
                total += int(size)
    return total + sum(shared.values())


def barrier_counts(program):
    """Calls of the runtime's entry points as the pass leaves them for a link, that is, before
    they are lowered."""
    tree, counts, stores = program.trees["acre"], {}, 0
    for unit in program.units:
        listing = tree.path(unit + ".ll")
        run([tree.cc, *program.flags, "-flto", "-S", "-emit-llvm", tree.path(unit), "-o", listing])
        with open(listing, encoding="utf-8", errors="replace") as file:
            text = file.read()
        for name in re.findall(r"\bcall [^\n]*?@(acre_rt_\w+)\(", text):
            counts[name] = counts.get(name, 0) + 1
        stores += len(re.findall(r"^\s+store ptr ", text, re.M))
    return {
        "calls": dict(sorted(counts.items(), key=lambda item: -item[1])),
        "pointer_stores": stores,
    }


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
            result["compile"][kind].append(time_of(program.commands(kind)))
    for kind in KINDS:
        program.link(kind)
        result["text"][kind] = text_size(program, kind)
    result["barriers"] = barrier_counts(program)
    for name, (long, short) in program.runs.items():
        outputs = {kind: run([program.binary(kind), *short]).stdout for kind in KINDS}
        if program.name == "Lua" and outputs["plain"] != outputs["acre"]:
            raise toolchain.Failed(f"{name}: the outputs differ")
        result["run"][name] = {kind: [] for kind in KINDS}
        for _ in range(options.runs):
            for kind in KINDS:
                result["run"][name][kind].append(time_of([[program.binary(kind), *long]]))
        result["instructions"][name] = (
            {kind: instructions(program, kind, short) for kind in KINDS}
            if shutil.which("valgrind")
            else None
        )
    return result


def ratio_of_times(samples):
    """Median of CPU time, acre over plain, with the ratio of each neighbouring pair as spread."""
    cpu = {kind: [sample["cpu"] for sample in samples[kind]] for kind in KINDS}
    pairs = [acre / plain for plain, acre in zip(cpu["plain"], cpu["acre"])]
    plain, acre = statistics.median(cpu["plain"]), statistics.median(cpu["acre"])
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
    lines += [
        "",
        "| program | pointer stores in the IR | barriers `acre_rt_store` | other runtime calls |",
        "|---|---:|---:|---|",
    ]
    for name, result in results.items():
        calls = dict(result["barriers"]["calls"])
        store = calls.pop("acre_rt_store", 0)
        others = ", ".join(
            f"{entry.removeprefix('acre_rt_')} {count}" for entry, count in calls.items()
        )
        lines.append(f"| {name} | {result['barriers']['pointer_stores']} | {store} | {others} |")
    return "\n".join(lines) + "\n"


def write_page(path, data):
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f"# What acre-cc costs programs that use no regions\n\nGenerated by `{data['command']}`"
            f" on {data['date']}; do not edit.\nMachine: {data['machine']}; one-minute load"
            f" {data['load'][0]:.1f} before and {data['load'][1]:.1f} after.\nVersions:"
            f" {'; '.join(data['versions'])}.\n\nSQLite (the amalgamation with its own"
            " `speedtest1`) and Lua (four scripts of `benchmarks/overhead/lua`), unmodified. No"
            " region exists, so every barrier takes its shortest way: this is the price of"
            f" instrumenting a whole program.\n\n{table(data['results'])}\nTimes are the median"
            f" processor time of {data['runs']} runs, the two compilers taking turns; the last"
            " column is the least and the greatest ratio of two neighbouring runs. Instructions"
            " are callgrind's, on a smaller input. Barriers are counted in the IR that `-flto`"
            " hands to the link: after optimisation, before lowering.\n"
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
    load = [os.getloadavg()[0]]
    results, used = {}, []
    for prepare in (prepare_sqlite, prepare_lua):
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
