#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that Acre was not made with, on the heaps of -facre-malloc and on others: processor
time, peak memory and the longest pause; the output is compared byte for byte.

Each is a Debian source package, built once by plain clang and once for each of Acre's heaps; see
recipes/__init__.py.  malloc and what stands before it by LD_PRELOAD (mimalloc, jemalloc, bdwgc, and
what --peer names) run in plain clang's program.  Of each figure the least of the runs counts, the
columns taking turns.  Controls are measured with --controls only: to be looked at when Acre has
been changed because of the others.

Writes raw data to benchmarks/results/<date>-<machine>/collector-untuned.json and the page
docs/results/collector-untuned.md.  The first figures of a program are kept in first.json.  Exit
status: 0; 1 if an output differs or a program fails; 77 if no source can be fetched.
"""

import argparse
import datetime
import importlib
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PLACES = ("benchmarks", "benchmarks/collector/programs", "tests/real")
sys.path[:0] = [*(str(ROOT / place) for place in reversed(PLACES)), str(HERE)]
sys.dont_write_bytecode = True
import common  # noqa: E402
import heaps  # noqa: E402
import page  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402

CONTROLS = ("abcmidi", "cscope", "duktape", "fig2dev", "newlisp")
RECIPES = sorted(
    path.stem for path in (HERE / "recipes").glob("*.py") if not path.stem.startswith("_")
)
FIRST = HERE / "first.json"


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--controls", action="store_true", help="the controls too")
    parser.add_argument(
        "--safe", action="store_true", help="with -facre-safe too, which ends some of them"
    )
    parser.add_argument("--programs", nargs="+", choices=RECIPES, metavar="PROGRAM")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME=LIBRARY",
        help="another malloc, preloaded; may be repeated",
    )
    parser.add_argument("--revision", default="", help="of Acre, for the page")
    parser.add_argument(
        "--keep-first", action="store_true", help="of programs without first figures, keep these"
    )
    parser.add_argument("--from", dest="measured", help="raw data to write the page from")
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=str(ROOT / "docs/results/collector-untuned.md"))
    return common.parse_programs(parser, "collector-untuned")


def job_of(name, recipe, work):
    directory = os.path.join(work, "loads", name)
    os.makedirs(directory, exist_ok=True)
    recipe.prepare(directory)
    return heaps.Job(
        name,
        recipe.BINARY,
        getattr(recipe, "ARGUMENTS", ()),
        directory=directory,
        script=getattr(recipe, "SCRIPT", None),
    )


def measure(name, columns, options, runner):
    recipe = importlib.import_module("recipes." + name)
    kinds = [kind for kind in heaps.FLAGS if kind != "safe" or options.safe]
    trees = heaps.build_trees(recipe, options, kinds)
    job = job_of(name, recipe, options.work)
    return {
        "package": os.path.basename(trees["plain"].source),
        "about": " ".join(recipe.__doc__.split()),
        **heaps.measure(job, trees, columns, options.runs, runner),
    }


def measure_all(options):
    """Raw data, or None if no program could be had."""
    chosen = options.programs or [
        name for name in RECIPES if options.controls or name not in CONTROLS
    ]
    results, skipped, before = {}, [], os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as directory:
        preloads, missing = heaps.build_preloads(options, directory)
        preloads.update(peer.split("=", 1) for peer in options.peer)
        columns = heaps.make_columns(preloads)
        columns += [(heaps.SAFE, "safe", {})] if options.safe else []
        runner = heaps.Runner(options.clang, directory)
        for name in chosen:
            try:
                results[name] = measure(name, columns, options, runner)
                line = page.row(name, results[name], "seconds", page.columns_of(results))
                print(line, flush=True)
            except sources.Unavailable as reason:
                skipped.append(f"{name}: {reason}")
    if not results:
        return None
    return {
        "command": "benchmarks/collector/untuned/run.py"
        + (" --controls" if options.controls else "")
        + (" --safe" if options.safe else "")
        + f" --runs {options.runs}",
        "date": datetime.date.today().isoformat(),
        "machine": common.machine(),
        "revision": options.revision,
        "runs": options.runs,
        "load": (before, os.getloadavg()[0]),
        "missing": missing,
        "skipped": skipped,
        "results": results,
    }


def keep_first(data):
    """Adds the ratios of programs that have none yet."""
    first = json.loads(FIRST.read_text()) if FIRST.exists() else {}
    for name, result in data["results"].items():
        if name not in first:
            first[name] = {"revision": data["revision"], **page.first_of(result)}
    FIRST.write_text(json.dumps(first, indent=1, sort_keys=True) + "\n")


def main():
    options = parse_options()
    if options.measured:
        data = json.loads(pathlib.Path(options.measured).read_text())
    else:
        try:
            data = measure_all(options)
        except toolchain.Failed as failure:
            print(failure, file=sys.stderr)
            return 1
        if not data:
            return common.SKIPPED
        common.write_data(options.results, "collector-untuned", data)
    if options.keep_first:
        keep_first(data)
    first = json.loads(FIRST.read_text()) if FIRST.exists() else {}
    page.write(options.page, data, first, CONTROLS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
