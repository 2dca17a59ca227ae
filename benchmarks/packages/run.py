# SPDX-License-Identifier: MIT
"""Debian source packages that nobody tuned Acre for: each is built by plain clang, by acre-cc, and
by that with -facre-malloc=collected and with -facre-malloc=quarantine, and its own tests are run
and compared one by one.

Runs: own, plain clang; inf, acre-cc with the verifier on; col, the collected heap; poison, the same
programs with many collections that overwrite dead objects; qua, the quarantine. What differs is run
again with both compilers, and counts if no result is common to both. Finished packages are kept in
the directory of work: a stopped run goes on where it was. Writes docs/results/packages.md, which
keeps what it says of packages without a result in that directory. Not part of make check: all of it
takes hours. Exit status: 0; 1 if a test differs that the table does not explain.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [
    HERE,
    os.path.join(ROOT, "benchmarks"),
    os.path.join(ROOT, "benchmarks", "evaluation"),
    os.path.join(ROOT, "tests", "real"),
]
sys.dont_write_bytecode = True
import common  # noqa: E402
import page  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402
import tree as trees  # noqa: E402
from table import PACKAGES  # noqa: E402


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [package.name for package in PACKAGES]
    parser.add_argument(
        "--acre", default=os.path.join(ROOT, "build"), help="build directory, or an installation"
    )
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument("--work", help="default: in the build directory")
    parser.add_argument("--packages", nargs="+", choices=names, default=names, metavar="PACKAGE")
    parser.add_argument(
        "--again",
        nargs="*",
        choices=sorted(trees.RUNS),
        default=(),
        metavar="RUN",
        help="measure these runs of the packages again, though they are finished",
    )
    parser.add_argument("--workers", type=int, default=1, help="packages at a time")
    parser.add_argument(
        "--keep", action="store_true", help="keep the trees of packages with no difference"
    )
    parser.add_argument("--revision", default="", help="what revision of Acre this is")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "packages.md"))
    parser.add_argument(
        "--page-only", action="store_true", help="write the page from what is finished"
    )
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.work = os.path.abspath(
        options.work or os.path.join(options.acre, "benchmarks", "packages")
    )
    return options


def result_file(options, name):
    return os.path.join(options.work, "results", name + ".json")


def read_result(options, name):
    try:
        with open(result_file(options, name), encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {"runs": {}, "builds": {}}


def write_result(options, name, result):
    path = result_file(options, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    os.replace(path + ".new", path)


class Job:
    """The work on one package: builds its trees when they are needed, and runs its tests."""

    def __init__(self, package, options):
        self.package, self.options = package, options
        self.result = read_result(options, package.name)
        source = sources.fetch(os.path.join(options.work, "sources"), package.source)
        compilers = {
            "clang": options.clang,
            "acre": os.path.join(options.acre, "bin", "acre-cc"),
        }
        self.result["version"] = os.path.basename(source)
        self.built = set()
        files = (
            os.path.join(options.acre, *parts)
            for parts in (
                ("bin", "acre-cc"),
                ("lib", "acre", "AcrePlugin.so"),
                ("lib", "libacre.a"),
            )
        )
        self.acre = toolchain.identity_of(*files)
        self.trees = {
            kind: trees.Tree(package, kind, source, options.work, compilers, self.identity(kind))
            for kind in trees.KINDS
        }

    def keep(self):
        write_result(self.options, self.package.name, self.result)

    def identity(self, kind):
        """A text that changes when the compiler does, or how the package is built."""
        package = self.package
        recipe = (self.result["version"], package.configure, package.build, package.below)
        return repr((recipe, "" if kind == "own" else self.acre))

    def build(self, kind):
        """Builds a tree if it is not there; whether its build worked."""
        tree = self.trees[kind]
        is_known = kind in self.result["builds"] and tree.is_current()
        if kind not in self.built and not is_known:
            self.built.add(kind)
            steps = tree.build()
            is_built = all(step.status == 0 for step in steps.values())
            output = steps["build"].output if "build" in steps else ""
            self.result["builds"][kind] = {
                "works": is_built,
                "steps": {name: step.data() for name, step in steps.items()},
                "checks": tree.checks(),
                "warnings": tree.diagnostics(output),
                "text": tree.text_size(),
                "said": "" if is_built else list(steps.values())[-1].tail(),
                "revision": self.options.revision,
            }
            if is_built:
                tree.finish()
            self.keep()
        return self.result["builds"][kind]["works"]

    def test(self, run):
        kind = trees.RUNS[run][0]
        if not self.build(kind):
            return
        tree = self.trees[kind]
        step, tests = tree.test(run)
        self.result["runs"][run] = {
            **step.data(),
            "tests": tests,
            "said": tree.said(step),
            "revision": self.options.revision,
        }
        self.keep()

    def differing(self, run):
        """The tests whose result is another than with plain clang."""
        own, other = (self.result["runs"][name]["tests"] for name in ("own", run))
        return sorted(name for name in {*own, *other} if own.get(name) != other.get(name))

    def compare(self, run):
        """A test that differs is tried once more with both; it is unsteady if they met once."""
        entry = self.result["runs"][run]
        names = self.differing(run)
        entry["differ"], entry["unsteady"] = {}, []
        if names:
            seen = {name: self.results_of(("own", run), name) for name in names}
            for which in ("own", run):
                kind = trees.RUNS[which][0]
                if self.build(kind):
                    _, tests = self.trees[kind].test(which)
                    for name in names:
                        seen[name][which].add(tests.get(name))
            for name in names:
                if seen[name]["own"] & seen[name][run]:
                    entry["unsteady"].append(name)
                else:
                    entry["differ"][name] = {
                        which: sorted(map(str, values)) for which, values in seen[name].items()
                    }
        self.keep()

    def results_of(self, runs, name):
        return {run: {self.result["runs"][run]["tests"].get(name)} for run in runs}

    def work(self):
        """Does what is missing or asked for again."""
        for run in trees.RUNS:
            if run in self.package.without:
                continue
            if run in self.options.again or run not in self.result["runs"]:
                self.test(run)
            if "own" not in self.result["runs"]:
                return  # there is nothing to compare with
            entry = self.result["runs"].get(run)
            if entry and run != "own" and "differ" not in entry:
                self.compare(run)
        if not self.options.keep and not page.faults(self.package, self.result):
            for tree in self.trees.values():
                shutil.rmtree(tree.directory, ignore_errors=True)
                shutil.rmtree(tree.scratch, ignore_errors=True)


def work_on(package, options):
    print(f"-- {package.name}, {time.strftime('%H:%M:%S')}", flush=True)
    try:
        job = Job(package, options)
    except sources.Unavailable as reason:
        print(f"-- {package.name} skipped: {reason}", flush=True)
        return
    job.work()
    print(page.progress(package, job.result), flush=True)


def main():
    options = parse_options()
    if not options.page_only:
        chosen = [package for package in PACKAGES if package.name in options.packages]
        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            list(pool.map(lambda package: work_on(package, options), chosen))
    results = {package.name: read_result(options, package.name) for package in PACKAGES}
    page.write(options.page, PACKAGES, results, common.machine())
    return 1 if any(page.faults(package, results[package.name]) for package in PACKAGES) else 0


if __name__ == "__main__":
    sys.exit(main())
