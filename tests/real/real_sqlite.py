"""SQLite: the shell on a long SQL script beside plain clang's, then a part of its own test-suite
(testfixture)."""

import concurrent.futures
import os
import re
import shlex
import shutil

import sources
import sqlite_script
from toolchain import (
    JOBS,
    Failed,
    expect_region_gone,
    expect_same,
    first_difference,
    host,
    run_program,
)

PACKAGE = "sqlite3"
UNNEEDED = ("www", "doc", "art")
FLAGS = (
    "-O2",
    "-DSQLITE_THREADSAFE=1",
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_MATH_FUNCTIONS",
    "-DSQLITE_ENABLE_EXPLAIN_COMMENTS",
    "-DHAVE_READLINE=0",
)
SUITE = """
alter atomic2 autoinc backup blob cast check collate1 conflict date descidx1 distinct enc expr fkey2
func fts3aa fts3query hook in index insert join json101 limit minmax misc1 null orderby1 printf
savepoint select1 select4 select7 sort subquery trans trigger1 triggerC types unique update upsert1
vacuum view wal where window1 with1 without_rowid1 zeroblob
""".split()


def build(tree):
    has_tcl = shutil.which("tclsh") or shutil.which("tclsh8.6")
    if not has_tcl:
        raise sources.Unavailable("tclsh is not installed (package tcl)")
    tree.run(
        "./configure",
        f"CC={tree.cc}",
        "CFLAGS=-O2",
        "--disable-readline",
        "--enable-fts5",
        "--enable-rtree",
    )
    tree.make("sqlite3.c", "shell.c")
    flags, libraries = (*FLAGS, f"-I{tree.directory}"), ("-lm", "-ldl", "-lpthread")
    tree.compile(
        flags, [tree.path("sqlite3.c"), tree.path("shell.c")], tree.path("shell"), libraries
    )
    if tree.kind == "acre":
        tree.compile(
            flags,
            [tree.path("sqlite3.c"), host("sqlite_in_region.c")],
            tree.path("sqlite_in_region"),
            libraries,
        )
    if (
        tree.kind == "acre"
        and "TCL_INCLUDE_SPEC" in open(tree.path("config.log"), encoding="utf-8").read()
    ):
        build_testfixture(tree)


def build_testfixture(tree):
    """What make testfixture does, two files at a time."""
    planned = tree.run("make", "-n", "testfixture").replace("\\\n", " ").splitlines()
    command = next(shlex.split(line) for line in planned if "-o testfixture" in line)
    units = [word for word in command if word.endswith(".c")]
    flags = [word for word in command if word.startswith(("-D", "-I", "-O"))]
    libraries = [word for word in command if word.startswith(("-l", "-L"))]
    before = len(tree.log)
    tree.compile(flags, units, tree.path("testfixture"), libraries)
    del tree.log[
        before:
    ]  # plain clang does not build it, so there is nothing to compare its warnings with


def run_suite_file(tree, name):
    """Runs one file of the test-suite.  Returns how many tests it ran."""
    directory = tree.path("suite", name)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    status, output, errors = run_program(
        [tree.path("testfixture"), tree.path("test", f"{name}.test")], cwd=directory, timeout=600
    )
    summary = re.search(rb"(\d+) errors out of (\d+) tests", output)
    if status or not summary or summary.group(1) != b"0":
        lines = (output + errors).decode(errors="replace").splitlines()
        telling = [line for line in lines if line.startswith("!") or "acre" in line] + lines[-8:]
        raise Failed(f"testfixture {name}.test: status {status}\n" + "\n".join(telling[:30]))
    shutil.rmtree(directory)
    return int(summary.group(2))


def run_in_region(plain, acre):
    # What only the shell does is left out: its own commands, and how it draws query plans.
    lines = [
        line
        for line in sqlite_script.script(1500).splitlines()
        if not line.startswith((".", "EXPLAIN QUERY PLAN"))
    ]
    statements = "\n".join(lines).encode()
    _, said, _ = run_program(
        [plain.path("shell"), "-nullvalue", "NULL", ":memory:"], stdin=statements
    )
    hosted = run_program([acre.path("sqlite_in_region")], stdin=statements)
    expect_region_gone("SQLite in a region", hosted, 1)
    if hosted[1] != said:
        raise Failed(f"SQLite in a region: {first_difference(said, hosted[1])}")
    return (
        f"all of SQLite's memory in one region: the same {len(said.splitlines())} lines, the region"
        " deleted"
    )


def compare(plain, acre):
    script = sqlite_script.script(6000)
    results = []
    for tree in (plain, acre):
        database = tree.path("script.db")
        if os.path.exists(database):
            os.remove(database)
        results.append(
            run_program(
                [tree.path("shell"), "script.db"], cwd=tree.directory, stdin=script.encode()
            )
        )
    expect_same("the SQL script", *results)
    if results[0][1].count(b"\nok\n") < 2:
        raise Failed("integrity_check did not say ok")
    yield (
        f"a script of {script.count(';')} statements: the same {len(results[0][1].splitlines())}"
        f" lines and {len(results[0][2].splitlines())} errors, integrity_check ok"
    )


def check(plain, acre):
    yield from compare(plain, acre)
    yield run_in_region(plain, acre)
    if os.path.exists(acre.path("testfixture")):
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            counts = list(pool.map(lambda name: run_suite_file(acre, name), SUITE))
        yield f"{len(SUITE)} files of its own test-suite: {sum(counts)} tests, no errors"
    else:
        yield "its own test-suite needs Tcl's headers (package tcl-dev): not run"
