#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the plugins for several versions of Clang against each other: what becomes of the lit
suites with each, and programs of the evaluation, compiled by each version with and without Acre:
the size of their code, and the instructions that callgrind counts in the small run.

Prints the page and writes it to docs/results/platforms.md. Exit status: 0; 1 if something failed;
77 if a tool is missing.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "benchmarks" / name) for name in ("", "evaluation", "programs")]
sys.dont_write_bytecode = True
import columns  # noqa: E402
import common  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402

PROGRAMS = ("cfrac", "mudlle", "moss")
COLUMNS = ("norc", "inf", "inf-lto")
SUITES = ("pass", "plugin", "driver", "cli", "regression", "end_to_end", "collected")


def versions_of(acre):
    """The versions that the build has plugins for, newest first."""
    names = (acre / "lib" / "acre").glob("AcrePlugin-*.so")
    return sorted((int(re.search(r"-(\d+)\.so$", str(name))[1]) for name in names), reverse=True)


def lit_of(acre):
    """The lit that the build runs its tests with."""
    return re.search(r"^ACRE_LIT:\w+=(.+)$", (acre / "CMakeCache.txt").read_text(), re.M)[1]


def test_version(acre, version, work, suites=SUITES):
    """{suite: {result: names of tests}} of one version."""
    found = {}
    for suite in suites:
        report = pathlib.Path(work) / f"{suite}.json"
        folder = acre / "tests" / f"{suite}.lit"
        subprocess.run(
            [lit_of(acre), "-q", "--param", f"clang={version}", "--output", report, folder],
            capture_output=True,
            check=False,
        )
        results = collections.defaultdict(list)
        for test in json.loads(report.read_text())["tests"]:
            results[test["code"]].append(test["name"].split(" :: ")[-1])
        found[suite] = {code: sorted(names) for code, names in results.items()}
    return found


def text_of(binary):
    """The bytes of code of one program, without those of the runtime and the C library."""
    done = subprocess.run(["size", "-A", binary], capture_output=True, text=True, check=True)
    return int(re.search(r"^\.text\s+(\d+)", done.stdout, re.M)[1])


def measure_version(acre, version, work):
    """{program: {column: {text, instructions}}} of one version."""
    os.environ["ACRE_CLANG"] = str(version)
    clang = f"clang-{version}"
    every = {column.name: column for column in columns.all_columns(str(acre), clang)}
    launcher = measure.build_launcher(clang, work)
    found = {}
    for name in PROGRAMS:
        found[name] = {}
        for column in COLUMNS:
            binary = measure.Binary(programs.Program(name), every[column], work, launcher)
            binary.build()
            binary.check_answer()
            found[name][column] = {
                "text": text_of(binary.path),
                "instructions": binary.instructions(),
            }
    return found


def measure_all(acre):
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "MEMORY_STATS", "LD_PRELOAD"):
        os.environ.pop(name, None)
    found, names, tests = {}, {}, {}
    for version in versions_of(acre):
        said = subprocess.run(
            [f"clang-{version}", "--version"], capture_output=True, text=True, check=True
        )
        names[version] = said.stdout.splitlines()[0]
        with tempfile.TemporaryDirectory() as work:
            tests[version] = test_version(acre, version, work)
            found[version] = measure_version(acre, version, work)
    return {"versions": names, "tests": tests, "found": found}


def matrix(data):
    """A row for each suite, with a cell for each version."""
    yield "| suite | " + " | ".join(f"Clang {version}" for version in data["tests"]) + " |"
    yield "|---|" + "---|" * len(data["tests"])
    for suite in SUITES:
        cells = []
        for tests in data["tests"].values():
            count = {code: len(names) for code, names in tests.get(suite, {}).items()}
            passed = count.pop("PASS", 0)
            left_out = count.pop("UNSUPPORTED", 0)
            others = [f"{number} {code.lower()}" for code, number in sorted(count.items())]
            parts = [f"{passed} pass", *([f"{left_out} left out"] if left_out else []), *others]
            cells.append(", ".join(parts) if suite in tests else "not run")
        yield f"| `{suite}` | " + " | ".join(cells) + " |"


def left_out(data):
    """A line for each version: the tests that it leaves out, and the newest does not."""
    newest = next(iter(data["tests"].values()))
    for version, tests in data["tests"].items():
        names = [
            f"`{suite}/{name}`"
            for suite, results in tests.items()
            for name in results.get("UNSUPPORTED", [])
            if name not in newest.get(suite, {}).get("UNSUPPORTED", [])
        ]
        if names:
            yield f"- {version}: {', '.join(names)}"


def table(data, key):
    """A row for each program and version: plain clang's number, and by what factor Acre's is."""
    yield "| program | Clang | plain | with Acre | | with Acre and `-flto` | |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name in PROGRAMS:
        for version, found in data["found"].items():
            numbers = [found[name][column][key] for column in COLUMNS]
            cells = [f"{numbers[0]:,}"]
            for number in numbers[1:]:
                cells += [f"{number:,}", f"{number / numbers[0]:.3f}"]
            yield f"| {name} | {version} | " + " | ".join(cells) + " |"


def write_page(path, data):
    lines = [
        "# Platforms",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit. Machine:",
        f"{data['machine']}. {'; '.join(data['versions'].values())}.",
        "",
        "The plugin is one source for LLVM 19 to 23 ([versions.md](../design/versions.md)). A",
        "version that is not below was not on this machine.",
        "",
        "## Tests",
        "",
        "A cell is what the following prints, with its suite and version:",
        "",
        "```sh",
        "scripts/setup --llvm 19 && make",
        "lit-22 -s --param clang=19 build/tests/pass.lit",
        "```",
        "",
        *matrix(data),
        "",
        "Tests that are left out for a version and not for the newest; the head of each says why:",
        "",
        *left_out(data),
        "",
        "## Size of code",
        "",
        "Bytes of `.text` of the linked program at `-O2`, with the static runtime in all columns.",
        "",
        *table(data, "text"),
        "",
        "## Instructions",
        "",
        "What callgrind counts in the small run. Plain: the same regions, not counted.",
        "",
        *table(data, "instructions"),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        sys.exit(
            common.main("platforms", __doc__, ("valgrind", "size"), measure_all, write_page)
        )
    except (subprocess.CalledProcessError, measure.Failed) as failure:
        sys.exit(str(failure))
