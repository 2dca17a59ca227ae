"""GNU awk: configure finds the same system, and its own test-suite gives the same result as with
plain clang."""

import re

from toolchain import Failed, run_program

PACKAGE = "gawk"
# Whether the reader of a pipe is gone before the second write is a matter of timing: with either
# compiler it may fail.
RACY = {"sigpipe1"}
# The generated files are part of the package; their time stamps do not survive packing.
NO_GENERATORS = ("ACLOCAL=:", "AUTOCONF=:", "AUTOHEADER=:", "AUTOMAKE=:", "MAKEINFO=:")


def build(tree):
    tree.keep_generated("configh.in", "awkgram.c", "command.c")
    tree.run(
        "./configure",
        f"CC={tree.cc}",
        "CFLAGS=-O2",
        "--disable-nls",
        "--without-readline",
        "--disable-mpfr",
        "--disable-extensions",
    )
    tree.make(*NO_GENERATORS, "-C", "support")
    tree.make(*NO_GENERATORS, "gawk")


def test_results(tree):
    """What make check says of each test, and the differences it found."""
    _, output, errors = run_program(
        [
            "make",
            "-k",
            "-j2",
            "-Otarget",
            *NO_GENERATORS,
            "-C",
            "test",
            "basic",
            "unix-tests",
            "gawk-extra",
        ],
        cwd=tree.directory,
        timeout=900,
    )
    text = (output + errors).decode(errors="replace")
    failed = sorted(re.findall(r"\[Makefile:\d+: ([\w-]+)\] Error", text))
    return len(re.findall(r"^[\w.+-]+$", text, re.M)), failed


def check(plain, acre):
    with open(plain.path("config.h"), encoding="utf-8") as one, open(
        acre.path("config.h"), encoding="utf-8"
    ) as other:
        if one.read() != other.read():
            raise Failed(
                "configure finds another system with acre-cc than with clang: config.h differs"
            )
    yield "configure finds the same system"
    (count, failed), (acre_count, acre_failed) = test_results(plain), test_results(acre)
    if set(failed) - RACY != set(acre_failed) - RACY or count != acre_count:
        raise Failed(
            f"its tests: {count} ran with plain clang, {failed} failed; {acre_count} with acre-cc,"
            f" {acre_failed} failed"
        )
    yield f"its own {count} tests: the same ones pass ({len(failed)} fail with either compiler)"
