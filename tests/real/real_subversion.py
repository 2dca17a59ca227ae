"""Subversion, with the Apache Portable Runtime below it: its own tests of its libraries, and a
repository that is filled, dumped and loaded, with its pools in regions."""

import glob
import os
import re
import shutil

import sources
from libraries import install_apr
from toolchain import Failed, expect_findings, expect_same, run_program

PACKAGE = "subversion"
POOLS = "apr"
FLAGS = "CFLAGS=-O2 -w -Wno-error=incompatible-pointer-types"
# Those that take minutes with the verifier, and two that want files as arguments.
LEFT_OUT = re.compile(
    r"(client|conflicts|mtcc|fs|locks|fs-fs-fuzzy|fs-fs-pack|op-depth|repos|mergeinfo|svndiff"
    r"|vdelta|changes|fs-base|strings-reps|entries-compat)-test$"
)
# A cache of serialized objects has their addresses still; batons of streams, and globals, outlive
# what they were made for.
FINDING = re.compile(
    r"acre\[\d+\]: (\d+ times: )?(global variable '|field '|the word at offset \d+ of )"
)


def build(tree):
    if not os.path.exists("/usr/include/sqlite3.h"):
        raise sources.Unavailable("SQLite is not installed (package libsqlite3-dev)")
    tree.run(
        "sh",
        "./configure",
        f"CC={tree.cc}",
        FLAGS,
        *install_apr(tree),
        "--with-lz4=internal",
        "--with-utf8proc=internal",
        "--disable-static",
        "--disable-nls",
        "--without-serf",
        "--without-apxs",
        "--without-berkeley-db",
    )
    tree.make("mkdir-init", "fsmod-lib", "ramod-lib", "lib", "bin", "test")


def verdicts(tree):
    """What each test of each program ended as, and what was written to stderr."""
    found, said = [], ""
    for source in sorted(glob.glob(tree.path("subversion", "tests", "libsvn_*", "*-test.c"))):
        program = source.removesuffix(".c")
        if LEFT_OUT.match(os.path.basename(program)) or not os.path.exists(program):
            continue
        place = os.path.dirname(program)
        status, output, errors = run_program([program, f"--srcdir={place}", "--cleanup"], cwd=place)
        ends = re.findall(rb"^(\w+):\s+\S+ (\d+):", output, re.M)
        found.append((os.path.basename(program), status, ends))
        said += errors.decode(errors="replace")
    return found, said


def session(tree):
    """Fills a repository over file://, and says what is in what is loaded of its dump."""
    here = tree.path("session")
    shutil.rmtree(here, ignore_errors=True)
    os.makedirs(here)
    clients = tree.path("subversion")
    script = f"""
    admin() {{ {clients}/svnadmin/svnadmin "$@" || echo failed: "$@"; }}
    svn() {{ {clients}/svn/svn "$@" || echo failed: "$@"; }}
    admin create one
    svn mkdir -q -m start file://$PWD/one/trunk file://$PWD/one/branches
    svn checkout -q file://$PWD/one/trunk copy
    for name in a b c d; do mkdir copy/$name; seq 500 > copy/$name/lines; done
    svn add -q copy/a copy/b copy/c copy/d
    svn commit -q -m files copy
    svn copy -q -m branch file://$PWD/one/trunk file://$PWD/one/branches/other
    svn checkout -q file://$PWD/one/branches/other branch
    for line in 10 200 300; do
      sed -i ${{line}}s/.*/other/ branch/a/lines branch/b/lines
      sed -i $((line+50))s/.*/trunk/ copy/a/lines copy/c/lines
      svn commit -q -m other branch
      svn commit -q -m trunk copy
    done
    svn update -q copy
    svn merge -q file://$PWD/one/branches/other copy
    svn diff copy | grep '^[-+]' | sort
    svn commit -q -m merged copy
    admin dump -q one > dumped
    admin create two
    admin load -q two < dumped
    admin verify -q two
    svn cat file://$PWD/two/trunk/a/lines file://$PWD/two/trunk/c/lines@5
    svn blame file://$PWD/two/trunk/b/lines | sort | uniq -c | head -20
    svn ls -R file://$PWD/two
    """
    return run_program(["sh", "-c", script], cwd=here)


def check_pools(plain, acre):
    wanted, _ = verdicts(plain)
    got, errors = verdicts(acre)
    if not wanted or wanted != got:
        differing = [one[0] for one, other in zip(wanted, got) if one != other]
        raise Failed(f"own tests differ: {differing or [len(wanted), len(got)]}")
    passed = sum(word == b"PASS" for _, _, ends in got for word, _ in ends)
    yield f"{passed} tests of {len(got)} programs end as with plain clang"
    expect_findings(errors, FINDING)
    yield "each pointer that is left behind is one of a global or an object of a pool"
    one, other = session(plain), session(acre)
    if b"failed:" in one[1]:
        raise Failed(f"the session failed: {one[1][-1000:]!r}")
    expect_same("the session", (*one[:2], b""), (*other[:2], b""))
    yield "a repository is filled, merged, dumped and loaded as with plain clang"
    expect_findings(other[2].decode(errors="replace"), FINDING)
    yield "what is left behind there is of the same kind"
