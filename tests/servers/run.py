"""Builds a program of examples/ that owns its memory in each of its versions, and checks each
against real clients.

usage: run.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

PROGRAM is a directory of examples/ and a module beside this file.  Exit status: 0; 1 if a claim
does not hold.
"""

import argparse
import concurrent.futures
import importlib
import os
import shutil
import subprocess
import sys
import traceback

import program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "ownership"))
sys.dont_write_bytecode = True
import versions  # noqa: E402


def check(module, version, options):
    """Returns what was shown of one version."""
    binary = os.path.join(options.work, f"{options.program}-{version.name}")
    complaint = versions.build(version, options.program, binary)
    if complaint:
        raise program.Failed(f"{version.name} does not build:\n{complaint[-4000:]}")
    if not version.is_run:
        return ["builds without a warning"]
    directory = os.path.join(options.work, options.program + "-files", version.name)
    environment = {**os.environ, **version.environment}
    try:
        return list(module.check(program.Program(binary, environment, version.name, directory)))
    except Exception as failure:
        raise program.Failed(f"{version.name}: {failure}") from failure


def check_mistakes(module, options):
    """Mistakes that are planted in the program, each alone, are found when it is compiled."""
    copy = os.path.join(options.work, options.program + "-mistakes")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "examples"), copy)
    compiler = versions.owners(options.acre).compiler
    for name, right, wrong, message in module.MISTAKES:
        path = os.path.join(copy, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        program.expect_equal(text.count(right), 1, f"{name} has {right!r}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(right, wrong))
        done = subprocess.run(
            [compiler, "-std=gnu17", "-fsyntax-only", path],
            capture_output=True,
            text=True,
            check=False,
        )
        program.expect(
            message in done.stderr, f"{name}, {wrong!r}: {message!r} is expected, not {done.stderr}"
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return [f"{len(module.MISTAKES)} planted mistakes are found by the compiler"]


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--acre", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("program")
    return parser.parse_args()


def main():
    options = parse_options()
    module = importlib.import_module(options.program)
    # Most of the time is spent waiting for servers to lose patience.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        jobs = [
            (version, pool.submit(check, module, version, options))
            for version in versions.of_tests(options.acre, options.clang)
        ]
        jobs.append((versions.owners(options.acre), pool.submit(check_mistakes, module, options)))
    is_failed = False
    for version, job in jobs:
        if job.exception():
            is_failed = True
            traceback.print_exception(job.exception())
        else:
            print(*(f"  {version.name}: {claim}" for claim in job.result()), sep="\n")
    return int(is_failed)


if __name__ == "__main__":
    sys.exit(main())
