# SPDX-License-Identifier: MIT
"""jansson, a library for JSON: values with counts of their own, arrays of values, hash tables with
intrusive lists."""

import json
import os
import re

from toolchain import run_program

PACKAGE = "jansson"
PORT = "jansson_port"
MEMORY = "values with a count in front; arrays of them; hash tables with lists through their pairs"
FILES = ("src/*.[ch]",)
BINARY = "out/load"
SETTINGS = ()
RUNS = {"small": ("small.json", "1"), "default": ("default.json", "1")}
OUTPUTS = ()

LOAD = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "loads", "jansson.c"
)


def document(items):
    """A document with many objects and arrays, and texts with what has to be escaped."""
    return {
        "title": 'of "many" items',
        "items": [
            {
                "number": number,
                "name": f"item {number}",
                "text": "text \t\u00e9\u4e2d\U0001f600 / " * (number % 4),
                "parts": [[part, part / 7, None, part % 2 == 0] for part in range(number % 9)],
                f"own{number % 50}": {f"key{k}": f"value {k * number}" for k in range(number % 13)},
            }
            for number in range(items)
        ],
    }


def write_loads(directory):
    for key, items in (("small", 3000), ("default", 30000)):
        with open(os.path.join(directory, key + ".json"), "w", encoding="ascii") as file:
            json.dump(document(items), file, indent=1)


def build(tree, flags):
    text = " ".join(flags)
    tree.run(
        *("cmake", "-S", ".", "-B", "out", f"-DCMAKE_C_COMPILER={tree.cc}"),
        *("-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={text}"),
        *("-DJANSSON_BUILD_DOCS=OFF", "-DJANSSON_EXAMPLES=OFF", "-DJANSSON_WITHOUT_TESTS=OFF"),
    )
    tree.make("-C", "out")
    # The load and the tests are callers that have no words.
    wordless = () if tree.kind == "own" else ("-fno-acre",)
    tree.run(
        *(tree.cc, *flags, *wordless, "-Iout/include", LOAD, "out/lib/libjansson.a"),
        *("-o", "out/load"),
    )


def check(tree):
    _, output, _ = run_program(["ctest"], cwd=tree.path("out"))
    return dict(
        re.findall(
            r"Test +#\d+: (\S+) \.+ *(\S+(?: \S+)?) ", output.decode(errors="replace"), re.M
        )
    )
