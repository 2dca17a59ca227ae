"""ProFTPD: the tests of its API, with its pools in regions."""

import os
import re

import sources
from toolchain import Failed, expect_findings, run_program

PACKAGE = "proftpd-dfsg"
POOLS = "proftpd"
# Variables and objects of the server whose pools its tests end before, and elements of its arrays,
# which are made without a type.
FINDING = re.compile(
    r"acre\[\d+\]: (\d+ times: )?(global variable '|field '|the word at offset \d+ of \d+ bytes "
    r"allocated at pool.c:\d+ in )"
)


def build(tree):
    if not os.path.exists("/usr/include/check.h"):
        raise sources.Unavailable("the library of the tests is not installed (package check)")
    tree.run(
        "sh",
        "./configure",
        f"CC={tree.cc}",
        "CFLAGS=-O2 -g -w",
        "LIBS=-lsubunit -lm -lrt -pthread",
        "--enable-tests",
    )
    tree.make()
    # The target runs what it makes, too: no suite has this name.
    made = "PR_TEST_SUITE=none make api-tests || test -x api-tests"
    tree.run("sh", "-c", made, cwd=tree.path("tests"))


def verdicts(tree):
    """What failed of how many checks, and what was written to stderr."""
    _, output, errors = run_program([tree.path("tests", "api-tests")], cwd=tree.path("tests"))
    text = output.decode(errors="replace")
    total = re.search(r"^\d+%: Checks: (\d+),", text, re.M)
    failed = re.findall(r"^\S+:[FE]:\w+:(\w+):", text, re.M)
    return total and total.group(1), sorted(failed), errors.decode(errors="replace")


def check_pools(plain, acre):
    *wanted, _ = verdicts(plain)
    *got, errors = verdicts(acre)
    if not wanted[0] or wanted != got:
        raise Failed(f"own tests differ: {wanted} and {got}")
    yield f"{got[0]} checks of its own tests end as with plain clang"
    expect_findings(errors, FINDING)
    yield "each pointer that is left behind is one of a variable or an object of the server"
