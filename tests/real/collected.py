"""Builds real, unmodified C with -facre-malloc=collected and checks that it does what it does with
plain clang.

usage: collected.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM and the exit status: see run.py.  Collections are frequent and dead objects are overwritten;
the verifier runs after each collection where the program's MODES say so.
"""

import importlib
import os
import sys

import run
import toolchain

MODES = {
    "real_lua": ("growth=256K,poison", "growth=2M,poison,check,whole"),
    "real_mujs": ("growth=256K,poison,whole", "growth=2M,increment=512K,poison,check"),
    "real_sqlite": ("growth=1M,poison",),
    "real_gawk": ("growth=256K,poison",),
    "real_jq": ("growth=256K,poison", "growth=2M,increment=512K,poison,whole"),
}


def compare(program, options):
    plain, collected = run.build_trees(program, options, "collected")
    for mode in MODES[options.program]:
        os.environ["ACRE_HEAP"] = mode
        for claim in getattr(program, "compare", program.check)(plain, collected):
            yield f"{mode}: {claim}"


def main():
    options = toolchain.parse_options()
    os.environ["ACRE_FLAGS"] = "-facre-malloc=collected"
    program = importlib.import_module(options.program)
    return run.report(options.program, lambda: compare(program, options))


if __name__ == "__main__":
    sys.exit(main())
