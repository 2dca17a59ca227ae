"""Builds real, unmodified C with all its memory in regions, block by block in another, and checks
that it does what it does with plain clang, and that each pointer from one region to another is
counted (hosts/scattered_heap.c).

usage: scattered.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM and the exit status: see run.py.
"""

import os
import subprocess
import sys

import run
import toolchain

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def make_heap(options):
    """The flags with which acre-cc gives a program the scattered heap."""
    target = os.path.join(options.work, options.program, "scattered_heap.o")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    subprocess.run(
        [
            os.path.join(options.acre, "bin", "acre-cc"),
            "-O2",
            "-I",
            os.path.join(REPOSITORY, "runtime"),
            "-c",
            toolchain.host("scattered_heap.c"),
            "-o",
            target,
        ],
        check=True,
    )
    return f"-Qunused-arguments -include {toolchain.host('scattered_heap.h')} -Wl,{target}"


def compare(program, options):
    os.environ["ACRE_FLAGS"] = make_heap(options)
    parts = [toolchain.host(f"scattered_heap.{kind}") for kind in ("c", "h")]
    plain, scattered = run.build_trees(program, options, "scattered", parts)
    yield from getattr(program, "compare", program.check)(plain, scattered)


if __name__ == "__main__":
    sys.exit(run.main(compare))
