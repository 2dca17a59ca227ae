"""Builds real, unmodified C with -facre-malloc=collected and =quarantine and checks that it does
what it does with plain clang.

usage: collected.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM and the exit status: see run.py.  Collections are frequent and dead objects are overwritten;
the verifier runs after each collection where the program's MODES say so.
"""

import os
import sys

import run

MODES = {
    "real_lua": ("growth=256K,poison", "growth=2M,poison,check,whole"),
    "real_mujs": ("growth=256K,poison,whole", "growth=2M,increment=512K,poison,check"),
    "real_sqlite": ("growth=1M,poison",),
    "real_gawk": ("growth=256K,poison",),
    "real_jq": ("growth=256K,poison", "growth=2M,increment=512K,poison,whole"),
}


QUARANTINE = ("real_lua", "real_mujs", "real_gawk", "real_jq")
QUARANTINE_MODES = ("growth=64K,poison",)


def compare_kind(program, options, kind, modes):
    os.environ["ACRE_FLAGS"] = f"-facre-malloc={kind}"
    os.environ.pop("ACRE_HEAP", None)
    plain, acre = run.build_trees(program, options, kind)
    for mode in modes:
        os.environ["ACRE_HEAP"] = mode
        for claim in getattr(program, "compare", program.check)(plain, acre):
            yield f"{kind}, {mode}: {claim}"


def compare(program, options):
    yield from compare_kind(program, options, "collected", MODES[options.program])
    if options.program in QUARANTINE:
        yield from compare_kind(program, options, "quarantine", QUARANTINE_MODES)


if __name__ == "__main__":
    sys.exit(run.main(compare))
