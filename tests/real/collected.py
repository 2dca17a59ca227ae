"""Builds real, unmodified C with -facre-malloc=collected and checks that it does what it does with plain clang.

usage: collected.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM and the exit status: see run.py.  Collections are frequent and dead objects are overwritten; the verifier runs after
each collection where the program's MODES say so.
"""
import importlib
import os
import sys

import run
import sources
import toolchain

MODES = {"real_lua": ("growth=256K,poison", "growth=2M,poison,check"), "real_mujs": ("growth=256K,poison", "growth=2M,poison,check"),
         "real_sqlite": ("growth=1M,poison",)}


def main():
    options = toolchain.parse_options()
    program = importlib.import_module(options.program)
    os.environ["ACRE_FLAGS"] = "-facre-malloc=collected"
    try:
        plain, collected = run.build_trees(program, options, "collected")
        for mode in MODES[options.program]:
            os.environ["ACRE_HEAP"] = mode
            for claim in getattr(program, "compare", program.check)(plain, collected):
                print(f"  {mode}: {claim}", flush=True)
    except sources.Unavailable as reason:
        print(f"skipped {options.program}: {reason}")
        return run.SKIPPED
    except toolchain.Failed as failure:
        print(f"{options.program}: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
