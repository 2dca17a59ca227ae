# SPDX-License-Identifier: MIT
"""What acre-cc does to programs that it was not made with: Debian source packages that use pools,
arenas, obstacks or nested marks, as they are, and ported to regions by a script, once, in the
straightforward way.

Columns: own, the program as it is by clang -O2; norc, what is measured by acre-cc -fno-acre; inf,
the same by acre-cc. Writes raw data to benchmarks/results/<date>-<machine>/foreign.json and
docs/results/foreign.md.  The page keeps the first figures of the revision that it names.  Exit
status: 0; 1 if a program failed.
"""

import argparse
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [
    HERE,
    *(
        os.path.join(ROOT, *parts)
        for parts in (
            ("benchmarks",),
            ("benchmarks", "evaluation"),
            ("benchmarks", "programs"),
            ("benchmarks", "ports"),
            ("tests", "real"),
        )
    ),
]
sys.dont_write_bytecode = True
import annotations  # noqa: E402
import columns as known_columns  # noqa: E402
import common  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
import program as foreign  # noqa: E402
import programs  # noqa: E402
import sources  # noqa: E402

RECIPES = {name[:-3] for name in os.listdir(os.path.join(HERE, "recipes")) if name[0].isalpha()}
PORTED = sorted(name.removesuffix("_port") for name in RECIPES if name.endswith("_port"))
NAMES = sorted(name for name in RECIPES if not name.endswith("_port"))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7, help="runs of each program in each column")
    kinds = [*NAMES, *(name + "-ported" for name in PORTED)]
    parser.add_argument("--programs", nargs="+", choices=kinds, default=kinds, metavar="PROGRAM")
    parser.add_argument(
        "--revision", default="", help="what revision of Acre this is, for the page"
    )
    parser.add_argument("--note", default="", help="a sentence for the page on this run")
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "foreign.md"))
    parser.add_argument(
        "--from",
        dest="measured",
        help=(
            "raw data to write the page from; with --programs, these are measured now and the "
            "others taken from there"
        ),
    )
    parser.add_argument(
        "--keep-first",
        action="store_true",
        help="keep these figures as the first ones of programs that have none yet",
    )
    options = common.parse_programs(parser, "foreign")
    options.further_runs, options.every = 0, kinds
    return options


def columns_of(options):
    acre_cc = os.path.join(options.acre, "bin", "acre-cc")
    return (
        known_columns.Column("own", "as it is, clang -O2", programs.Mode("own", options.clang)),
        known_columns.Column(
            "norc", "acre-cc -fno-acre", programs.Mode("regions", acre_cc, ("-fno-acre",))
        ),
        known_columns.Column("inf", "acre-cc", programs.Mode("counted", acre_cc)),
    )


def profile(binaries):
    """Functions by what they execute more in inf than in norc, and which are the runtime's."""
    (before, _), (after, of_runtime) = (
        measure.self_counts(measure.callgrind_output(binaries[name])) for name in ("norc", "inf")
    )
    more = {name: after.get(name, 0) - before.get(name, 0) for name in {*before, *after}}
    most = sorted(more, key=lambda name: -abs(more[name]))[:25]
    return [(name, more[name], name in of_runtime) for name in most]


def compare_checks(program, modes):
    """What its own tests say with clang and with acre-cc, and where they differ."""
    said = {name: program.recipe.check(program.tree(mode)) for name, mode in modes.items()}
    plain, acre = said["own"], said["inf"]
    differ = sorted(key for key in {*plain, *acre} if plain.get(key) != acre.get(key))
    return {
        "tests": len(plain),
        "differ": {key: (str(plain.get(key))[:300], str(acre.get(key))[:1500]) for key in differ},
    }


def measure_program(program, options, launcher):
    columns = columns_of(options)
    binaries = [measure.Binary(program, column, options.work, launcher) for column in columns]
    failures = measure.prepare(binaries)
    binaries = [binary for binary in binaries if binary.column.name not in failures]
    times = measure.measure_times(binaries, options, failures)
    by_name = {binary.column.name: binary for binary in binaries}
    counts = {
        name: binary.instructions(output=measure.callgrind_output(binary))
        for name, binary in by_name.items()
    }
    modes = {column.name: column.mode for column in columns if column.name in by_name}
    is_whole = {"norc", "inf"} <= set(by_name)
    sites, stores = annotations.measure_stores(program, options) if program.is_ported else ({}, {})
    return {
        "memory": program.recipe.MEMORY,
        "version": os.path.basename(program.source),
        "lines": annotations.measure_source(program)["lines"],
        "changes": program.changes,
        "runs": {key: " ".join(words) for key, words in program.recipe.RUNS.items()},
        "time": times,
        "instructions": counts,
        "profile": profile(by_name) if is_whole else [],
        "text": {name: program.text_size(mode) for name, mode in modes.items()},
        "checks": compare_checks(program, modes) if "inf" in by_name else {},
        "sites": sites,
        "stores": stores,
        "failures": failures,
    }


def measure_all(options, results):
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "LD_PRELOAD"):
        os.environ.pop(name, None)
    launcher = measure.build_launcher(options.clang, options.work)
    data = {
        "command": "benchmarks/foreign/run.py --runs " + str(options.runs),
        "date": time.strftime("%Y-%m-%d"),
        "machine": common.machine(),
        "load": [os.getloadavg()[0]],
        "revision": options.revision,
        "programs": results,
    }
    for name in options.programs:
        print(f"-- {name}", flush=True)
        base = name.removesuffix("-ported")
        try:
            program = foreign.Program(base, base != name, options)
            results[name] = measure_program(program, options, launcher)
        except sources.Unavailable as reason:
            results[name] = {"skipped": str(reason)}
            continue
        for column, reason in results[name]["failures"].items():
            print(f"{name}, {column}: {reason}", file=sys.stderr, flush=True)
        print(page.row(name, results[name]), flush=True)
        common.write_data(options.results, "foreign", data)
    data["load"].append(os.getloadavg()[0])
    common.write_data(options.results, "foreign", data)
    return data


def first_figures(options, data):
    """The first figures of each program; with --keep-first, of those that are measured now too."""
    path = os.path.join(HERE, "first.json")
    with open(path, encoding="utf-8") as file:
        first = json.load(file)
    new = {
        name: {"revision": data["revision"], **page.first_of(result)}
        for name, result in sorted(data["programs"].items())
        if name not in first and "skipped" not in result and not result["failures"]
    }
    if options.keep_first and new:
        with open(path, "w", encoding="utf-8") as file:
            rows = [
                f"  {json.dumps(name)}: {json.dumps({**first, **new}[name])}"
                for name in sorted({**first, **new})
            ]
            file.write("{\n" + ",\n".join(rows) + "\n}\n")
        first.update(new)
    return first


def main():
    options = parse_options()
    data = {"programs": {}}
    if options.measured:
        with open(options.measured, encoding="utf-8") as file:
            data = json.load(file)
    if not options.measured or options.programs != options.every:
        data = measure_all(options, data["programs"])
    data = {**data, "note": options.note or data.get("note", "")}
    page.write(options.page, data, first_figures(options, data))
    failed = [name for name, result in data["programs"].items() if result.get("failures")]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
