"""Builds real, unmodified programs that allocate in pools of their own with a map of these
(-facre-pools) and checks that they do what they do with plain clang.

usage: pooled.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM and the exit status: see run.py.  A module says by POOLS which map is its own, and by
check_pools what is to hold.  The policy is the one that pools have by themselves, and the verifier
runs at each end of a pool.
"""

import os
import sys

import run


def compare(program, options):
    os.environ["ACRE_FLAGS"] = f"-facre-pools={program.POOLS}"
    plain, acre = run.build_trees(program, options, "pooled")
    yield from program.check_pools(plain, acre)


if __name__ == "__main__":
    sys.exit(run.main(compare))
