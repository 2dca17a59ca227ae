"""Builds real, unmodified C with clang -O2 and with acre-cc -O2 and checks that nothing but the
compiler differs.

usage: run.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM is the name of a module beside this file.  Exit status: 0; 1 if a claim does not hold; 77 if
the source cannot be fetched here.
"""

import importlib
import os
import sys
import time

import sources
import toolchain

SKIPPED = 77


def tool_identity(options):
    plain = toolchain.identity_of(options.clang)
    acre = toolchain.identity_of(
        *(
            os.path.join(options.acre, *parts)
            for parts in (
                ("bin", "acre-cc"),
                ("lib", "acre", "AcrePlugin.so"),
                ("lib", "libacre.a"),
            )
        )
    )
    return {"plain": plain, "acre": plain + acre}


def build_trees(program, options, acre_kind="acre", parts=()):
    """Returns the plain and the Acre tree of program, built.  ACRE_FLAGS says what kind of Acre
    tree it is, and names the files of parts."""
    source = sources.fetch(os.path.join(options.work, "sources"), program.PACKAGE)
    recipe = toolchain.identity_of(program.__file__, toolchain.__file__, *parts)
    identity = tool_identity(options)
    trees = []
    for kind, cc in (
        ("plain", options.clang),
        (acre_kind, os.path.join(options.acre, "bin", "acre-cc")),
    ):
        directory = os.path.join(
            options.work, os.path.splitext(os.path.basename(program.__file__))[0], kind
        )
        tree = toolchain.Tree(
            kind,
            cc,
            source,
            directory,
            identity["plain" if kind == "plain" else "acre"] + recipe + os.path.basename(source),
        )
        if not tree.is_current():
            start = time.monotonic()
            tree.prepare(getattr(program, "UNNEEDED", ()))
            program.build(tree)
            tree.finish()
            print(f"  built with {kind} in {time.monotonic() - start:.1f} s", flush=True)
        trees.append(tree)
    return trees


def report(name, work):
    """Does the work, a generator of what holds, and prints it.  Returns the exit status."""
    try:
        for claim in work():
            print(f"  {claim}", flush=True)
    except sources.Unavailable as reason:
        print(f"skipped {name}: {reason}")
        return SKIPPED
    except toolchain.Failed as failure:
        print(f"{name}: {failure}")
        return 1
    return 0


def compare(program, options):
    plain, acre = build_trees(program, options)
    toolchain.expect_no_new_warnings(plain, acre)
    yield "no warning that clang does not give"
    yield from program.check(plain, acre)


def main(check=compare):
    """Does what check says with the program of the command line.  Returns the exit status."""
    options = toolchain.parse_options()
    program = importlib.import_module(options.program)
    return report(options.program, lambda: check(program, options))


if __name__ == "__main__":
    sys.exit(main())
