"""Ports a real program to counted regions and checks that it does what the unmodified one does.

usage: run.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM is the name of a module beside this file.  Exit status: 0; 1 if a claim does not hold; 77 if
the source cannot be fetched here.
"""

import importlib
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "real"), os.path.join(ROOT, "benchmarks", "ports")]
sys.dont_write_bytecode = True
import patch  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402

SKIPPED = 77


def main():
    options = toolchain.parse_options()
    program = importlib.import_module(options.program)
    try:
        source = sources.fetch(os.path.join(options.work, "sources"), program.PACKAGE)
        for claim in program.check(source, os.path.join(options.work, options.program), options):
            print(f"  {claim}", flush=True)
    except sources.Unavailable as reason:
        print(f"skipped {options.program}: {reason}")
        return SKIPPED
    except (toolchain.Failed, patch.Mismatch) as failure:
        print(f"{options.program}: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
