#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what an allocation costs: arenas and regions beside a stack, Hanson's quick fit and
first fit, and the allocators of today.

  instructions   of the inline path, from the disassembly of inline_path.c
  instructions   per object, from callgrind: the difference of two runs of different length, so that
                 starting up
                 does not count
  nanoseconds    per object, the least of several runs taken in turn

Writes raw data to benchmarks/results/<date>-<machine>/allocation.json and the table to
docs/results/allocation.md.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

WORKLOADS = {  # name: (kind in allocate.c, batch, what it is)
    "constant": (
        "constant",
        1000,
        "24-byte objects, the size known to the compiler, in batches of 1000",
    ),
    "mixed": (
        "mixed",
        1000,
        "24 to 200 bytes, the size known at run time only, in batches of 1000",
    ),
    "scattered": (
        "scattered",
        1000,
        "as mixed, released in an order that has nothing to do with that of allocation",
    ),
    "few": (
        "constant",
        5,
        "24-byte objects in batches of 5: the best case of a malloc with thread caches",
    ),
}
ALLOCATORS = {  # name in allocate.c: (what it is, libraries)
    "LOOP": ("no allocator: the loop with an array", []),
    "STACK": ("stack: one pointer in fixed memory", []),
    "ARENA": ("**Acre arena**, reset after each batch", []),
    "ARENA_NEW": ("**Acre arena**, deleted and made anew for each batch", []),
    "REGION": (
        "**Acre region**, not counted, zeroed, made anew for each batch",
        ["{acre}/lib/libacre.a"],
    ),
    "COUNTED": (
        "**Acre region**, counted, zeroed, made anew for each batch",
        ["{acre}/lib/libacre.a"],
    ),
    "QUICK_FIT": ("quick fit, in line", []),
    "FIRST_FIT": ("first fit", []),
    "OBSTACK": ("glibc obstack, emptied after each batch", []),
    "APR": ("APR pool, emptied after each batch", ["-I/usr/include/apr-1.0", "-lapr-1"]),
    "TALLOC": ("talloc, a context freed after each batch", ["-ltalloc"]),
    "JEMALLOC": ("jemalloc, malloc and free", ["-ljemalloc"]),
    "MIMALLOC": ("mimalloc, malloc and free", ["-lmimalloc"]),
    "MIMALLOC_HEAP": ("mimalloc, a heap destroyed after each batch", ["-lmimalloc"]),
    "MALLOC": ("glibc malloc and free", []),
}
PACKAGES = {  # what shows that a package is installed: the package
    "/usr/include/apr-1.0/apr_pools.h": "libapr1-dev",
    "/usr/include/talloc.h": "libtalloc-dev",
    "/usr/include/jemalloc/jemalloc.h": "libjemalloc-dev",
    "/usr/include/mimalloc.h": "libmimalloc-dev",
}
# Instructions on a VAX for an object, allocated and released, in Hanson's discussion.
HANSON = {"STACK": 5, "ARENA": 8, "QUICK_FIT": 15, "FIRST_FIT": 57}
MEAN_SIZE = {
    "constant": 24,
    "mixed": 107.984,
    "scattered": 107.984,
}  # in bytes, as allocate.c draws them
RUNTIME = [
    "memory/arena.c",
    "memory/pages.c",
    "platform/memory_limit.c",
    "platform/os.c",
    "platform/sanitizer.c",
    "platform/thread.c",
]


def fail(message):
    sys.exit(f"run.py: {message}")


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        fail(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def tool(*names):
    for name in names:
        if shutil.which(name):
            return name
    fail(f"{names[0]} is not installed")


def install_missing():
    """As root on Debian, installs the libraries that are missing.  What fails is skipped later."""
    wanted = [package for header, package in PACKAGES.items() if not pathlib.Path(header).exists()]
    if wanted and os.geteuid() == 0 and shutil.which("apt-get"):
        print("installing " + " ".join(wanted), flush=True)
        for arguments in (["update"], ["install", "-y", "--no-install-recommends", *wanted]):
            subprocess.run(["apt-get", "-qq", *arguments], capture_output=True, check=False)


def build_command(name, compiler, acre, program):
    libraries = [library.format(acre=acre) for library in ALLOCATORS[name][1]]
    words = [acre / "bin" / "acre-cc"] if name == "COUNTED" else [compiler, "-I", ROOT / "include"]
    if name.startswith("ARENA"):
        words += ["-I", ROOT / "runtime", *(ROOT / "runtime" / file for file in RUNTIME)]
    return [
        *words,
        "-O2",
        "-D_GNU_SOURCE",
        "-std=gnu17",
        f"-DALLOCATOR_{name}",
        HERE / "allocate.c",
        "-o",
        program,
        "-pthread",
        *libraries,
    ]


def build(compiler, acre, directory):
    """Compiles one program for each allocator; those whose libraries are not installed are left
    out."""
    programs, skipped = {}, []
    for name, (what, libraries) in ALLOCATORS.items():
        program = directory / name.lower()
        try:
            result = subprocess.run(
                build_command(name, compiler, acre, program), capture_output=True, text=True
            )
            message = result.stderr.strip() or "the compiler fails" if result.returncode else None
        except OSError as reason:
            message = str(reason)
        if not message:
            programs[name] = program
        elif libraries:
            skipped.append(name)
            print(f"skipped: {what}: {message[:200]}")
        else:
            fail(message)
    return programs, skipped


def executed(program, workload, rounds):
    kind, batch, _ = WORKLOADS[workload]
    done, text = common.callgrind([program, kind, batch, rounds], text=True)
    if done.returncode != 0:
        fail(f"{program} {kind} {batch} {rounds}\n{done.stderr}")
    return common.callgrind_total(text)


def measure_instructions(programs, objects):
    """Raw totals of both runs, and the instructions per object with the loop."""
    data = {workload: {} for workload in WORKLOADS}
    for workload, (_, batch, _) in WORKLOADS.items():
        rounds = objects // batch
        for name, program in programs.items():
            short, long = (executed(program, workload, r) for r in (rounds, 2 * rounds))
            data[workload][name] = {
                "total_short": short,
                "total_long": long,
                "per_object": (long - short) / (rounds * batch),
            }
    return data


def measure_time(programs, objects, repeats):
    data = {workload: {name: [] for name in programs} for workload in WORKLOADS}
    for _ in range(repeats):
        for workload, (kind, batch, _) in WORKLOADS.items():
            for name, program in programs.items():
                data[workload][name].append(
                    float(run([program, kind, str(batch), str(objects // batch)]))
                )
    return data


def parse_function(listing, function):
    """Its instructions: address -> (text, address jumped to or None, whether it leaves the
    function)."""
    body = re.search(rf"^[0-9a-f]+ <{function}>:\n((?:\s+[0-9a-f]+:.*\n)+)", listing, re.M).group(1)
    found, last = {}, None
    for line in body.splitlines():
        relocation = re.match(r"\s+[0-9a-f]+: R_", line)
        match = re.match(r"\s+([0-9a-f]+):\s+(\S.*?)\s*$", line)
        if relocation and last is not None:
            found[last] = (found[last][0], None, True)
        elif match:
            last = int(match.group(1), 16)
            jump = re.match(rf"j\w+\s+([0-9a-f]+) <{function}", match.group(2))
            found[last] = (match.group(2), int(jump.group(1), 16) if jump else None, False)
    return found


def fast_path(listing, function):
    """The shortest way from entry to ret that stays in the function: the slow path is a call or
    jump out of it."""
    code = parse_function(listing, function)
    addresses = sorted(code)
    following = dict(zip(addresses, addresses[1:]))
    waiting, seen = [(addresses[0], [])], set()
    while waiting:
        address, path = waiting.pop(0)
        if address in seen or address not in code:
            continue
        seen.add(address)
        text, target, leaves = code[address]
        name = text.split()[0]
        if name.startswith("ret"):
            return path
        path = [*path, re.sub(r"\s+", " ", text.split("<")[0].strip())]
        if target is not None:
            waiting.append((target, path))
        if name != "jmp" and not (leaves and name.startswith("call")):
            waiting.append((following.get(address), path))
    fail(f"{function} has no fast path")


def inline_paths(compilers, directory):
    functions = re.findall(r"^void \*(\w+)\(", (HERE / "inline_path.c").read_text(), re.M)
    paths = {}
    for compiler in compilers:
        object_file = directory / "inline_path.o"
        run(
            [
                compiler,
                "-O2",
                "-I",
                ROOT / "include",
                "-c",
                HERE / "inline_path.c",
                "-o",
                object_file,
            ]
        )
        listing = run(["objdump", "-dr", "--no-show-raw-insn", object_file])
        paths[compiler] = {function: fast_path(listing, function) for function in functions}
    return paths


def versions(compilers):
    found = {compiler: run([compiler, "--version"]).splitlines()[0] for compiler in compilers}
    found["valgrind"] = run(["valgrind", "--version"]).strip()
    found["glibc"] = " ".join(platform.libc_ver())
    header = pathlib.Path("/usr/include/mimalloc.h")
    if header.exists():
        number = re.search(r"define MI_MALLOC_VERSION (\d+)", header.read_text())
        found["mimalloc"] = (
            f"mimalloc {'.'.join(number.group(1)) if number else 'of unknown version'}"
        )
    return found


def path_table(paths):
    compilers = list(paths)
    functions = list(paths[compilers[0]])
    lines = ["| inline path | " + " | ".join(compilers) + " |", "|---|" + "---:|" * len(compilers)]
    for function in functions:
        counts = " | ".join(str(len(paths[compiler][function])) for compiler in compilers)
        lines.append(f"| {function.replace('_', ' ')} | {counts} |")
    return lines


def cost_table(workload, data):
    instructions, times = data["instructions"][workload], data["nanoseconds"][workload]
    loop = instructions["LOOP"]["per_object"]
    lines = [
        "| allocator | instructions per object | less the loop | ns per object |",
        "|---|---:|---:|---:|",
    ]
    for name in instructions:
        count = instructions[name]["per_object"]
        lines.append(
            f"| {ALLOCATORS[name][0]} | {count:.1f} | {count - loop:.1f} | {min(times[name]):.2f} |"
        )
    return lines


def hanson_table(data):
    """Instructions for an object and for a byte, without the loop, beside what the paper says."""
    loads = list(MEAN_SIZE)
    lines = [
        "| allocator | paper, VAX | " + " | ".join(f"{load} | a byte" for load in loads) + " |",
        "|---|---:|" + "---:|---:|" * len(loads),
    ]
    for name in (name for name in data["instructions"][loads[0]] if name != "LOOP"):
        cells = []
        for load in loads:
            table = data["instructions"][load]
            count = table[name]["per_object"] - table["LOOP"]["per_object"]
            cells += [f"{count:.1f}", f"{count / MEAN_SIZE[load]:.2f}"]
        lines.append(
            f"| {ALLOCATORS[name][0]} | {HANSON.get(name, '')} | " + " | ".join(cells) + " |"
        )
    return lines


def write_page(path, data):
    constant = next(iter(data["inline_paths"].items()))
    lines = [
        "# What an allocation costs",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        f"Machine: {data['machine']}.",
        f"Versions: {'; '.join(data['versions'].values())}.",
        "",
        "## The inline path, from the disassembly",
        "",
        (
            "Instructions at `-O2` from the entry of a function that does nothing else to its"
            " `ret`, which is not counted."
        ),
        "",
        *path_table(data["inline_paths"]),
        "",
        f"The path of a constant size ({constant[0]}):",
        "",
        "```",
        *constant[1]["constant_size"],
        "```",
        "",
        "## Hanson's table",
        "",
        (
            "*Fast Allocation and Deallocation of Memory Based on Object Lifetimes* says what an"
            " object costs, allocated and"
        ),
        (
            "released, in instructions of a VAX. The same today, without the loop that uses the"
            " object, and for each byte asked"
        ),
        (
            "for. Quick fit and first fit are the paper's (`benchmarks/allocation/fits.h`); where"
            " the newest object is"
        ),
        (
            "released first, first fit never searches. Objects of regions are zeroed and have a"
            " header that says what they"
        ),
        "are.",
        "",
        *hanson_table(data),
        "",
        "## Per object, measured",
        "",
        (
            "Allocation and release together; a batch of objects, linked into a list, is released"
            " at its end. Instructions"
        ),
        (
            "are callgrind's, of two runs of different length subtracted; time is the least of "
            f"{data['repeats']} runs taken in turn."
        ),
        "Both include the loop that links the objects; the third column is without it.",
        "",
    ]
    for workload, (_, _, what) in WORKLOADS.items():
        lines += [f"**{workload}**: {what}", "", *cost_table(workload, data), ""]
    for name in data["skipped"]:
        lines.append(f"Skipped, not installed here: {ALLOCATORS[name][0]}.")
    path.write_text("\n".join(lines).rstrip() + "\n")


def measure(options):
    install_missing()
    compilers = [tool("clang-22", "clang"), tool("gcc")]
    for name in ("valgrind", "objdump"):
        tool(name)
    date = datetime.date.today().isoformat()
    machine = (
        f"{common.cpu_model()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    )
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        programs, skipped = build(compilers[0], options.acre.resolve(), directory)
        data = {
            "command": "benchmarks/allocation/run.py",
            "date": date,
            "machine": machine,
            "versions": versions(compilers),
            "objects": options.objects,
            "timed_objects": options.timed_objects,
            "repeats": options.repeats,
            "skipped": skipped,
            "inline_paths": inline_paths(compilers, directory),
            "instructions": measure_instructions(programs, options.objects),
            "nanoseconds": measure_time(programs, options.timed_objects, options.repeats),
        }
    common.write_data(str(options.results), "allocation", data)
    return data


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre",
        type=pathlib.Path,
        default=ROOT / "build",
        help="a build directory, or an installation",
    )
    parser.add_argument(
        "--objects", type=int, default=200000, help="in the shorter run under callgrind"
    )
    parser.add_argument("--timed-objects", type=int, default=10000000, help="in a timed run")
    parser.add_argument("--repeats", type=int, default=7, help="timed runs of each")
    parser.add_argument(
        "--results", type=pathlib.Path, default=ROOT / "benchmarks" / "results", help="raw data"
    )
    parser.add_argument(
        "--page", type=pathlib.Path, default=ROOT / "docs" / "results" / "allocation.md"
    )
    parser.add_argument(
        "--from", dest="measured", type=pathlib.Path, help="raw data to write the page from"
    )
    options = parser.parse_args()
    data = json.loads(options.measured.read_text()) if options.measured else measure(options)
    options.page.parent.mkdir(parents=True, exist_ok=True)
    write_page(options.page, data)
    print(options.page.read_text())


if __name__ == "__main__":
    main()
