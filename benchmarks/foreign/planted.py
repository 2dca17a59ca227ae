# SPDX-License-Identifier: MIT
"""Dangling pointers, planted into the ported foreign programs: each must be caught, and the report
must name where it is, what it points to and where it was stored.

Builds each port with the changes of plants/NAME.py, with -facre-sites -g and without, runs it once
for each mistake (PLANTED=NAME in its environment) and once for none, which must end well.  Writes
docs/results/planted.md.  Exit status: 0; 1 if a report lacks something.
"""

import argparse
import importlib
import os
import re
import shutil
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
import program as foreign  # noqa: E402
import programs  # noqa: E402

FOLDER = os.path.join(HERE, "plants")
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
    parser.add_argument("--acre", default=os.path.join(ROOT, "build"))
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument("--work", help="default: benchmarks/planted in the build directory")
    parser.add_argument("--programs", nargs="+", choices=NAMES, default=NAMES, metavar="PROGRAM")
    parser.add_argument("--page", help="the page to write, if all programs are run")
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.work = os.path.abspath(
        options.work or os.path.join(options.acre, "benchmarks", "planted")
    )
    return options


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
    return done.returncode, done.stderr


def lacking(plant, kind, status, said):
    """What a run lacks, as words."""
    if status != -6 or "acre: fatal: cannot delete" not in said:
        return ["caught"]
    named = plant.named_plainly if kind == "plainly" and plant.named_plainly else plant.named
    wanted = {"named": named, "type and allocation": plant.refers}
    if kind == "sites":
        wanted["stored"] = plant.stored
    lines = [line for line in said.splitlines() if re.match(r"  \d+\. ", line)]
    best = max(lines or [""], key=lambda line: sum(bool(re.search(p, line)) for p in wanted.values()))
    return [what for what, pattern in wanted.items() if not re.search(pattern, best)]


def measure(name, options):
    """A list of (plant, kind, what it lacks, what was said) of a program."""
    planted = Planted(name)
    sys.modules["recipes." + planted.ported.__name__.split(".")[-1]] = planted
    program, results = foreign.Program(name, True, options), []
    for kind, words in OPTIONS.items():
        mode = programs.Mode(kind, os.path.join(options.acre, "bin", "acre-cc"), words)
        program.tree(mode)
        for plant in planted.plants.PLANTS:
            status, said = run(program, kind, plant, None)
            lacks = [f"the twin: status {status}"] if "acre: " in said or status < 0 else []
            status, said = run(program, kind, plant, plant.name)
            results.append((plant, kind, lacks + lacking(plant, kind, status, said), said))
    return results


def main():
    options = parse_options()
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "LD_PRELOAD", "PLANTED"):
        os.environ.pop(name, None)
    failed = 0
    for name in options.programs:
        for plant, kind, lacks, said in measure(name, options):
            failed += bool(lacks)
            print(f"-- {name} {plant.name} ({kind}): {', '.join(lacks) or 'ok'}\n{said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
