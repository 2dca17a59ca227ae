# SPDX-License-Identifier: MIT
"""Dangling pointers, planted into the ported foreign programs: each must be caught, and the report
must name where it is, what it points to and where it was stored.

Builds each port with the changes of plants/NAME.py, with -facre-sites -g and without, runs it once
for each mistake (PLANTED=NAME in its environment) and once for none, which must end well.  Writes
docs/results/planted.md if all programs are run.  The page keeps what the first reports lacked
(plants/first.json).  Exit status: 0; 1 if a report lacks something.
"""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys

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
import common  # noqa: E402
import program as foreign  # noqa: E402
import programs  # noqa: E402

FOLDER = os.path.join(HERE, "plants")
FIRST = os.path.join(FOLDER, "first.json")
NAMES = sorted(name[:-3] for name in os.listdir(FOLDER) if name[0].isalpha() and name[-3:] == ".py")
OPTIONS = {"sites": ("-facre-sites", "-g"), "plainly": ()}


class Planted:
    """The rules of a port, and then those of the mistakes: what program.Program takes for a
    port."""

    def __init__(self, name):
        recipe = foreign.recipe_of(name)
        self.ported = importlib.import_module("recipes." + recipe.PORT)
        self.plants = importlib.import_module("plants." + name)
        self.KINDS = self.ported.KINDS
        self.FILES = (*self.ported.FILES, self.ported.__file__, self.plants.__file__)
        self.FILES += (os.path.join(FOLDER, "planted.h"),)
        self.__file__ = self.plants.__file__

    def port(self, tree):
        self.ported.port(tree)
        self.plants.plant(tree)


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", nargs="+", choices=NAMES, default=NAMES, metavar="PROGRAM")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "planted.md"))
    parser.add_argument(
        "--keep-first", action="store_true", help="keep what these reports lack as the first ones"
    )
    return common.parse_programs(parser, "planted")


def run(program, kind, plant, mistake):
    """Exit status and what was said.  mistake: null for none."""
    directory = os.path.join(program.load, plant.name)
    os.makedirs(directory, exist_ok=True)
    for name, text in plant.input.items():
        with open(os.path.join(directory, name), "w", encoding="ascii") as file:
            file.write(text)
    tree = os.path.join(program.work, "tree-" + kind)
    settings = dict(word.replace("{tree}", tree).split("=", 1) for word in program.recipe.SETTINGS)
    if mistake:
        settings["PLANTED"] = mistake
    done = subprocess.run(
        [os.path.join(tree, program.recipe.BINARY), *plant.command],
        cwd=directory,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    said = re.sub(r"(?:\.?\.?/)?(?:[\w.+~-]+/)+(?=[\w.-]+\.[chyl]:\d)", "", done.stderr)
    return done.returncode, said


def wanted_of(plant, kind):
    """The patterns of a report's line.  Only -facre-sites tells where a slot was stored, and where
    a text was allocated."""
    refers = plant.refers
    if kind == "sites":
        return {"name": plant.named, "type and allocation": refers, "store": plant.stored}
    return {
        "name": plant.named,
        "type": refers.split(" allocated")[0] if 'text "' in refers else refers,
    }


def best_line(plant, kind, said):
    lines = [line for line in said.splitlines() if re.match(r"  \d+\. ", line)]
    wanted = wanted_of(plant, kind).values()
    return max(lines or [""], key=lambda line: sum(bool(re.search(each, line)) for each in wanted))


def lacking(plant, kind, status, said):
    """What a run lacks, as words."""
    if status == 0 or "acre: fatal: cannot delete the region created at" not in said:
        return ["caught"]
    best = best_line(plant, kind, said)
    wanted = wanted_of(plant, kind)
    return [what for what, pattern in wanted.items() if not re.search(pattern, best)]


def measure(name, options):
    """A list of (plant, kind, what it lacks, its line) of a program."""
    planted = Planted(name)
    sys.modules["recipes." + planted.ported.__name__.split(".")[-1]] = planted
    program, results = foreign.Program(name, True, options), []
    for kind, words in OPTIONS.items():
        mode = programs.Mode(kind, os.path.join(options.acre, "bin", "acre-cc"), words)
        program.tree(mode)
        for plant in planted.plants.PLANTS:
            status, said = run(program, kind, plant, None)
            lacks = ["a twin that ends well"] if status or "acre: " in said else []
            status, said = run(program, kind, plant, plant.name)
            lacks += lacking(plant, kind, status, said)
            results.append((plant, kind, lacks, best_line(plant, kind, said)))
            print(f"-- {name} {plant.name} ({kind}): lacks {lacks}\n{said}", flush=True)
    return results


def first_lacks(options, results):
    """{"program plant kind": what the first report lacked}; with --keep-first, these too."""
    with open(FIRST, encoding="utf-8") as file:
        first = json.load(file)
    if options.keep_first:
        for name, found in results.items():
            for plant, kind, lacks, _ in found:
                first.setdefault(f"{name} {plant.name} {kind}", lacks)
        with open(FIRST, "w", encoding="utf-8") as file:
            rows = [f"  {json.dumps(key)}: {json.dumps(first[key])}" for key in sorted(first)]
            file.write("{\n" + ",\n".join(rows) + "\n}\n")
    return first


COLUMNS = (
    "program",
    "place",
    "the line of the report, with `-facre-sites -g`",
    "lacked first",
    "now",
    "plainly first",
    "now",
)
PAGE = """\
# Planted dangling pointers

Generated by `benchmarks/foreign/planted.py`; do not edit.

{count} dangling pointers, planted into the ported [foreign programs](foreign.md), at least two in
each, in every kind of place. Each is a mistake as people make it (a cache that is not cleared, a
copy that is not made), behind a switch, and provoked by an input; the same program with the same
input and without the switch ends well. The script checks each report by pattern: that the delete
is refused, that the line names the variable or the member, the type of what it points to and where
that was allocated, and, built with `-facre-sites -g`, where the pointer was stored.

Lacked: what was missing in a report before anything in Acre was changed because of it, and what is
missing now; "–" is nothing, "?" was not measured. Plainly: built without `-facre-sites`, where
neither the place of a store nor that of a text's allocation is wanted.

"""


def write_page(path, results, first):
    def words(lacks):
        return ", ".join(lacks) or "–"

    with open(path, "w", encoding="utf-8") as file:
        file.write(PAGE.format(count=sum(len(found) for found in results.values()) // 2))
        file.write("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|\n")
        for name, found in sorted(results.items()):
            by = {(plant.name, kind): (lacks, line) for plant, kind, lacks, line in found}
            for plant in dict.fromkeys(plant.name for plant, *_ in found):
                place = next(each.place for each, *_ in found if each.name == plant)
                line = re.sub(r"^\s*\d+\. ", "", by[plant, "sites"][1]).replace("|", "\\|")
                cells = [name, place, f"`{line}`"]
                for kind in OPTIONS:
                    was = first.get(f"{name} {plant} {kind}")
                    cells += ["?" if was is None else words(was), words(by[plant, kind][0])]
                file.write("| " + " | ".join(cells) + " |\n")


def main():
    options = parse_options()
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "LD_PRELOAD", "PLANTED"):
        os.environ.pop(name, None)
    results = {name: measure(name, options) for name in options.programs}
    first = first_lacks(options, results)
    if set(options.programs) == set(NAMES):
        write_page(options.page, results, first)
    return 1 if any(lacks for found in results.values() for _, _, lacks, _ in found) else 0


if __name__ == "__main__":
    sys.exit(main())
