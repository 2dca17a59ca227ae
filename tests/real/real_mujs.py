"""MuJS, a JavaScript interpreter whose errors are longjmps: programs of our own, compared with
plain clang's output."""

import glob
import os

from toolchain import expect_same, run_program

PACKAGE = "mujs"
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mujs")


def build(tree):
    tree.make(f"CC={tree.cc}", "HAVE_READLINE=no", "build/release/mujs")


def check(plain, acre):
    for script in sorted(glob.glob(os.path.join(SCRIPTS, "*.js"))):
        name = os.path.basename(script)
        results = [
            run_program(["build/release/mujs", script], cwd=tree.directory)
            for tree in (plain, acre)
        ]
        expect_same(f"mujs {name}", *results)
        yield (
            f"mujs {name}: the same {len(results[0][1].splitlines())} lines, exit status"
            f" {results[0][0]}"
        )
