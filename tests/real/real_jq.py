"""jq, an interpreter of JSON queries whose values are counted by hand: its own suite, and
queries of our own over generated data."""

import glob
import json
import os
import re

from toolchain import Failed, expect_same, run_program

PACKAGE = "jq"
UNNEEDED = ("oniguruma",)  # regular expressions: a library of others
RECORDS = 3000
QUERIES = (
    "group_by(.kind) | map({kind: .[0].kind, count: length, total: (map(.size) | add)})",
    '[.[] | select(.tags | index("t3")) | .name] | sort | unique | length',
    (
        "reduce .[] as $r ({}; .[$r.name[0:2]] += [$r.size]) | map_values(sort | .[length / 2 |"
        " floor])"
    ),
    '[paths(type == "string")] | length',
    "map(.nested | [recurse(.below?; . != null) | .value] | add) | add",
    "def fib: if . < 2 then . else (. - 1 | fib) + (. - 2 | fib) end; [range(16) | fib]",
    "map(tojson | fromjson) == .",
    "sort_by(.size, .name) | .[:5] | map(to_entries | from_entries)",
    '.[0] | .missing.deep[3] | error("wanted")',
)


# What its configure finds; the package has none, only what makes it.
FOUND = (
    "_GNU_SOURCE",
    "IEEE_8087",
    "HAVE_MEMMEM",
    "HAVE_MKSTEMP",
    "HAVE_ISATTY",
    "HAVE_TIMEGM",
    "HAVE_GMTIME_R",
    "HAVE_LOCALTIME_R",
    "HAVE_STRFTIME",
    "HAVE_STRPTIME",
    "HAVE_SETLOCALE",
    "HAVE_TM_TM_GMT_OFF",
    "HAVE_GETTIMEOFDAY",
    "USE_DECNUM=0",
)
LACKED = {"HAVE_POW10"}  # of the math functions it asks for


def write_definitions(tree):
    """Its version, and the library in its own language as a C string, as its makefile would
    write them."""
    with open(tree.path("src", "version.h"), "w", encoding="utf-8") as file:
        file.write('#define JQ_VERSION "1.6"\n')
    with open(tree.path("src", "builtin.jq"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    with open(tree.path("src", "builtin.inc"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line + "\n") + "\n" for line in lines)


def definitions(tree):
    with open(tree.path("src", "libm.h"), encoding="utf-8") as file:
        math = set(re.findall(r"HAVE_\w+", file.read())) - LACKED
    return [*FOUND, *sorted(math)]


def units(tree):
    return [
        path
        for path in sorted(glob.glob(tree.path("src", "*.c")))
        if os.path.basename(path) != "inject_errors.c"
    ]


def build(tree):
    write_definitions(tree)
    defined = [f"-D{name}" for name in definitions(tree)]
    flags = ["-O2", "-I", tree.path(), "-I", tree.path("src"), *defined]
    tree.compile(flags, units(tree), tree.path("jq"), ["-lm", "-lpthread"])


def records(count=RECORDS):
    """The same data each time."""
    made, state = [], 1
    for i in range(count):
        state = state * 1103515245 % 2**31 + 12345
        nested = None
        for depth in range(state % 7):
            nested = {"value": depth, "below": nested}
        made.append(
            {
                "name": f"n{state % 997:03d}",
                "kind": f"k{state % 13}",
                "size": state % 10007 / 4,
                "nested": nested,
                "tags": [f"t{(state >> j) % 11}" for j in range(i % 5)],
            }
        )
    return json.dumps(made).encode()


def own_suite(tree):
    """What jq's own tests of its language say: their last line counts them."""
    status, output, _ = run_program(["./jq", "--run-tests", "tests/jq.test"], cwd=tree.directory)
    lines = output.decode(errors="replace").splitlines()
    if not lines:
        raise Failed(f"{tree.kind}: jq --run-tests says nothing, exit status {status}")
    return status, lines


def check(plain, acre):
    data = records()
    results = [own_suite(tree) for tree in (plain, acre)]
    if results[0] != results[1]:
        raise Failed(f"its own tests: plain {results[0][1][-1]}, acre {results[1][1][-1]}")
    yield f"its own tests: {results[0][1][-1]}, as with plain clang"
    for query in QUERIES:
        expect_same(
            f"jq '{query}'",
            *(
                run_program(["./jq", query], cwd=tree.directory, stdin=data)
                for tree in (plain, acre)
            ),
        )
    yield f"{len(QUERIES)} queries of {len(data)} bytes: the same"
    expect_same(
        "jq --stream",
        *(
            run_program(
                ["./jq", "-c", "--stream", "select(length == 2)"], cwd=tree.directory, stdin=data
            )
            for tree in (plain, acre)
        ),
    )
    yield "--stream: the same"
