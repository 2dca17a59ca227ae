"""Checks the code that lcc generates: programs that it compiles do what they do when another
compiler compiles them.

usage: check_code.py --cc CC --work DIRECTORY [--random COUNT] [--self SOURCES] [LCC]

The programs: the C files beside this one, COUNT random ones, and with --self lcc's own sources,
which are compiled by lcc, linked, and made to compile themselves once more: the code must be the
same.  CC is clang or gcc.  Without LCC it is built by CC from SOURCES, for malloc.
Exit status: 0; 1 if a claim does not hold.
"""

import argparse
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Without these lcc meets no extension of the C library's headers that it does not know.
PREPROCESS = ("-E", "-std=c17", "-U__GNUC__", "-U__clang__", "-DMEMORY_MALLOC")


class Failed(Exception):
    """A claim does not hold."""


def run(*command):
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, timeout=300
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)}: status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def compile_by_lcc(options, source, name):
    """The program source, compiled by lcc; the assembly stays beside it."""
    binary = os.path.join(options.work, name)
    run(options.lcc, "-o", binary + ".s", source)
    run(options.cc, "-no-pie", binary + ".s", "-o", binary)
    return binary


def check_program(options, source, name):
    reference = os.path.join(options.work, name + "-reference")
    run(options.cc, "-w", "-O1", "-fwrapv", "-ffp-contract=off", source, "-o", reference)
    wanted, given = run(reference), run(compile_by_lcc(options, source, name))
    if wanted != given:
        raise Failed(f"{source}: printed\n{given}\nnot\n{wanted}")


def compile_itself(options, compiler, generation):
    """lcc's sources compiled by compiler: the binary and all assembly code."""
    objects, code = [], []
    memory = os.path.join(os.path.dirname(options.self), "memory", "memory.c")
    for source in sorted(glob.glob(os.path.join(options.self, "*.c"))):
        base = os.path.join(options.work, f"{generation}-{os.path.basename(source)[:-2]}")
        run(options.cc, *PREPROCESS, source, "-o", base + ".i")
        run(compiler, "-o", base + ".s", base + ".i")
        run(options.cc, "-c", base + ".s", "-o", base + ".o")
        objects.append(base + ".o")
        with open(base + ".s", encoding="utf-8") as file:
            code.append(file.read())
    binary = os.path.join(options.work, f"{generation}-lcc")
    run(options.cc, "-no-pie", "-O1", "-DMEMORY_MALLOC", memory, *objects, "-o", binary)
    return binary, code


def check_itself(options):
    first, first_code = compile_itself(options, options.lcc, "first")
    _, second_code = compile_itself(options, first, "second")
    if first_code != second_code:
        raise Failed("lcc compiled by itself generates other code")


def build_lcc(options):
    """lcc as CC compiles it."""
    binary = os.path.join(options.work, "lcc")
    memory = os.path.join(os.path.dirname(options.self), "memory", "memory.c")
    run(
        options.cc,
        "-std=gnu17",
        "-O1",
        "-DMEMORY_MALLOC",
        *sorted(glob.glob(os.path.join(options.self, "*.c"))),
        memory,
        "-o",
        binary,
    )
    return binary


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--random", type=int, default=8)
    parser.add_argument("--self")
    parser.add_argument("lcc", metavar="LCC", nargs="?")
    options = parser.parse_args()
    if not options.lcc and not options.self:
        parser.error("LCC or --self is needed")
    options.lcc = os.path.abspath(options.lcc) if options.lcc else None
    options.self = os.path.abspath(options.self) if options.self else None
    return options


def main():
    options = parse_options()
    os.makedirs(options.work, exist_ok=True)
    try:
        options.lcc = options.lcc or build_lcc(options)
        for source in sorted(glob.glob(os.path.join(HERE, "*.c"))):
            check_program(options, source, os.path.basename(source)[:-2])
        for seed in range(1, options.random + 1):
            source = os.path.join(options.work, f"random-{seed}.c")
            run(options.lcc, "-w", source, str(seed), "12")
            check_program(options, source, f"random-{seed}")
        if options.self:
            check_itself(options)
    except Failed as failure:
        print(failure)
        return 1
    print("the same answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
