"""The Apache Portable Runtime: its own tests, with its pools in regions."""

import re

from toolchain import Failed, expect_findings, run_program

PACKAGE = "apr"
POOLS = "apr"
# Globals of the tests, and names of signals that the library keeps in its outermost pool, still
# point to their pools when these end.
FINDING = re.compile(
    r"acre\[\d+\]: (\d+ times: )?global variable '\w+(\[\d+\])?' "
    r"\((test\w+\.c|threadproc/unix/signals\.c):\d+\) pointed to "
)


def build(tree):
    tree.run("sh", "./configure", f"CC={tree.cc}", "CFLAGS=-O2 -g -w", "--disable-shared")
    tree.make()
    tree.make(cwd=tree.path("test"))


def verdicts(tree):
    """What became of each test, and what was written to stderr."""
    _, output, errors = run_program([tree.path("test", "testall")], cwd=tree.path("test"))
    # The tests draw what goes on, with backspaces.
    text = re.sub(r"[-\\|/]?\x08", "", output.decode(errors="replace"))
    found = re.findall(r"^(test\w+) *:.*?(SUCCESS|FAILED \d+ of \d+)", text, re.M)
    return dict(found), errors.decode(errors="replace")


def check_pools(plain, acre):
    wanted, _ = verdicts(plain)
    got, errors = verdicts(acre)
    if not wanted or wanted != got:
        raise Failed(f"own tests differ: {sorted(set(wanted.items()) ^ set(got.items()))}")
    yield f"{len(got)} files of its own tests end as with plain clang"
    expect_findings(errors, FINDING)
    yield "each pointer that is left behind is one of a global of the tests, or of a known one"
