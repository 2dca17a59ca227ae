#!/usr/bin/env python3
"""Makes random programs, compiles each at several settings, runs them, and shrinks what fails.

usage: run.py --acre-cc PATH [--seed N] [--count K] [--levels O0,O1,O2,O3,lto,...] [--steps S]
       [--walks W] [--plain CLANG]

Each program takes W random walks of S steps at each setting.  After every step it compares the
counts of all regions with its own model.  All settings, and with --plain also the same program
compiled by plain clang, must print the same checksum of what memory holds.  A failure is shrunk to
few operations and few steps and written to the current directory.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = {
    "O0": ["-O0"],
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3"],
    "lto": ["-O2", "-flto", "-fuse-ld=lld"],
    "thinlto": ["-O2", "-flto=thin", "-fuse-ld=lld"],
    "g": ["-O1", "-g"],
    "asan": ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize=alignment"],
}


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.environment = dict(
            os.environ,
            ACRE_VERIFY="1",
            UBSAN_OPTIONS="halt_on_error=1",
            ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=0",
        )

    def compile(self, text, level, name):
        # A source for each setting: a compiler may be reading the other one's.
        source, program = (
            os.path.join(self.folder, f"{name}.{suffix}") for suffix in (f"{level}.c", level)
        )
        with open(source, "w") as file:
            file.write(text)
        if level == "plain":
            root = os.path.dirname(os.path.dirname(self.options.acre_cc))
            command = [
                self.options.plain,
                "-O1",
                "-w",
                "-I",
                os.path.join(HERE, "..", "..", "include"),
                "-I",
                HERE,
                source,
                "-o",
                program,
                "-L",
                os.path.join(root, "lib"),
                "-l:libacre.a",
                "-lpthread",
            ]
        else:
            command = [self.options.acre_cc, *LEVELS[level], "-I", HERE, source, "-o", program]
        done = subprocess.run(command, capture_output=True, text=True)
        return program, (
            f"{' '.join(command)}\n{done.stderr}" if done.returncode or done.stderr else ""
        )

    def run(self, program, arguments):
        """The program's output and, if it failed, why."""
        try:
            done = subprocess.run(
                [program, *map(str, arguments)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=600,
                env=self.environment,
            )
        except subprocess.TimeoutExpired:
            return "", "timed out"
        return done.stdout, (
            "" if done.returncode == 0 else f"exit status {done.returncode}\n{done.stderr}"
        )

    def generate(self, seed, *extra):
        command = [
            sys.executable,
            os.path.join(HERE, "generate.py"),
            "--seed",
            str(seed),
            "--operations",
            str(self.options.operations),
            *extra,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def minimise(items, fails):
    """The delta debugging algorithm: a part of items, from which no chunk can go, for which
    fails(part) still holds."""
    chunks = 2
    while len(items) >= 2:
        size = -(-len(items) // chunks)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size :]
            if rest and fails(rest):
                items, chunks = rest, max(chunks - 1, 2)
                break
        else:
            if size == 1:
                break
            chunks = min(len(items), chunks * 2)
    return items


def failing_step(message):
    found = re.search(r"step (\d+)", message)
    return int(found.group(1)) if found else None


def shrink(runner, seed, level):
    """Writes the smallest program found that still fails, and returns its path."""
    options = runner.options
    walks = range(options.first_walk, options.first_walk + max(options.walks, 3))

    def first_failure(keep):
        program, wrong = runner.compile(
            runner.generate(seed, "--keep", ",".join(map(str, keep))), level, "shrunk"
        )
        if wrong:
            return None
        best = None
        for walk in walks:
            steps = min(options.steps, 20000) if best is None else best[1]
            message = runner.run(program, (walk, steps))[1]
            if message:
                step = failing_step(message)
                if best is None or (step or 0) < best[1]:
                    best = (walk, steps - 1 if step is None else step, program)
        return best

    everything = list(range(options.operations))
    if not first_failure(everything):
        return None
    keep = minimise(everything, lambda part: first_failure(part) is not None)
    walk, last, program = first_failure(keep)
    steps = list(range(last + 1))
    if runner.run(program, (walk, 0, *steps))[1]:
        steps = minimise(steps, lambda part: runner.run(program, (walk, 0, *part))[1] != "")
    text = runner.generate(
        seed,
        "--keep",
        ",".join(map(str, keep)),
        "--walk",
        str(walk),
        "--steps",
        ",".join(map(str, steps)),
    )
    path = f"failure-{seed}-{level}.c"
    with open(path, "w") as file:
        file.write(f"// Fails at {level}; compile with -I {os.path.relpath(HERE)}.\n{text}")
    return path


def check_level(runner, seed, text, level):
    """The checksums of all walks at one setting, and what went wrong."""
    program, wrong = runner.compile(text, level, f"seed{seed}")
    if wrong:
        return [], wrong
    outputs = []
    for walk in range(runner.options.first_walk, runner.options.first_walk + runner.options.walks):
        output, wrong = runner.run(program, (walk, runner.options.steps))
        if wrong:
            return outputs, f"{program} {walk} {runner.options.steps}\n{wrong}"
        outputs.append(output)
    os.remove(program)
    return outputs, ""


def check_seed(runner, pool, seed, levels):
    text = runner.generate(seed)
    results = dict(
        zip(levels, pool.map(lambda level: check_level(runner, seed, text, level), levels))
    )
    failed = [level for level in levels if results[level][1]]
    for level in failed:
        print(f"seed {seed} at {level}: {results[level][1]}", file=sys.stderr)
    if failed and not runner.options.no_shrink:
        print(f"smallest program found: {shrink(runner, seed, failed[0])}", file=sys.stderr)
    if not failed and len({tuple(outputs) for outputs, _ in results.values()}) > 1:
        print(f"seed {seed}: the settings disagree: {results}", file=sys.stderr)
        return False
    return not failed


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--levels", default="O0,O1,O2,O3,lto")
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--walks", type=int, default=1)
    parser.add_argument("--first-walk", type=int, default=1)
    parser.add_argument("--operations", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--plain", help="a clang without Acre, to compare with")
    parser.add_argument("--no-shrink", action="store_true")
    return parser.parse_args()


def main():
    options = parse_arguments()
    levels = options.levels.split(",") + (["plain"] if options.plain else [])
    failures, began = 0, time.time()
    with tempfile.TemporaryDirectory(
        prefix="acre-random-"
    ) as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(options, folder)
        for seed in range(options.seed, options.seed + options.count):
            failures += not check_seed(runner, pool, seed, levels)
    operations = options.count * (len(levels) - bool(options.plain)) * options.walks * options.steps
    print(
        f"seeds {options.seed} to {options.seed + options.count - 1}: {operations} operations at"
        f" {','.join(levels)}, {failures} of {options.count} programs failed,"
        f" {time.time() - began:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
