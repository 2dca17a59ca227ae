"""Holds the two transfer functions of ownership against each other, on real C.

usage: transfers.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

What a function without owners does with its parameters is found in one pass without its order
(compiler/plugin/ownership/Plain.h), or by following it (Flow.h).  Each function of the program is
gone through in both ways, and the compiler rejects it if they record different things.  PROGRAM and
the exit status: see run.py.
"""

import os
import sys

import run
import sources
import toolchain

# Only where this word is known, owners are looked for.
FLAGS = "-fplugin-arg-acre-compare-transfers -DACRE_UNIQUE="


def compare(program, options):
    source = sources.fetch(os.path.join(options.work, "sources"), program.PACKAGE)
    tree = toolchain.Tree(
        "transfers",
        os.path.join(options.acre, "bin", "acre-cc"),
        source,
        os.path.join(options.work, options.program, "transfers"),
        run.tool_identity(options)["acre"] + toolchain.identity_of(program.__file__, __file__),
    )
    if not tree.is_current():
        tree.prepare(getattr(program, "UNNEEDED", ()))
        program.build(tree)
        tree.finish()
    yield "both transfer functions record the same of each function"


if __name__ == "__main__":
    os.environ["ACRE_FLAGS"] = FLAGS
    sys.exit(run.main(compare))
