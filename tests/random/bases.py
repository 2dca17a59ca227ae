#!/usr/bin/env python3
"""Random loops in which an optimizer may keep only addresses outside an object, while it collects.

usage: bases.py --acre-cc PATH --plain CLANG [--seed N] [--count K] [--loops L]
                [--levels O1,O2,...] [--modes ticks,thread]

Each of K programs has L functions with a loop each over objects that nothing else refers to.  A
program is compiled by plain clang and, at each level, with -facre-malloc=collected.  It is run
without a collection, with collections in the loops (ticks), and beside a thread that collects all
the time (thread).  Dead objects are overwritten.  All runs must print the same.  What fails is
named with its seed, and the program is kept in the current directory.
"""

import argparse
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bases_loops  # noqa: E402

LEVELS = {
    "O0": ["-O0"],
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3"],
    "Os": ["-Os"],
    "Oz": ["-Oz"],
    "native": ["-O3", "-march=native"],
    "unroll": ["-O2", "-funroll-loops", "-fno-vectorize"],
    "novec": ["-O2", "-fno-vectorize", "-fno-slp-vectorize"],
    "g": ["-O2", "-g"],
    "wrap": ["-O2", "-fwrapv", "-fno-strict-aliasing"],
    "lto": ["-O2", "-flto", "-fuse-ld=lld"],
    "thin": ["-O2", "-flto=thin", "-fuse-ld=lld"],
}
HEAP = {
    "none": "growth=1G",
    "ticks": "growth=1G,whole,poison",
    "thread": "growth=1G,whole,poison",
    "stress": "stress,poison",
}


def program(seed, loops):
    rng = random.Random(seed)
    names = [f"f{number}" for number in range(loops)]
    functions = "\n".join(bases_loops.Loop(name, rng).text() for name in names)
    table = ", ".join(f'{{"{name}", run_{name}}}' for name in names)
    return (
        f'/* bases.py --seed {seed} --loops {loops} */\n#include "bases_support.h"\n'
        f"static void *volatile garbage;\n\n{functions}\n"
        f"const test tests[] = {{{table}}};\nconst int test_count = {loops};\n"
    )


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        # The other thread needs time to collect in each loop.
        self.rounds = "200" if "thread" in options.modes else "1"

    def execute(self, command, **environment):
        """What the command printed, and what went wrong."""
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=900,
            check=False,
            env={**os.environ, **environment},
        )
        is_right = done.returncode == 0 and not done.stderr
        wrong = f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}"
        return done.stdout, "" if is_right else wrong

    def compile(self, source, level):
        output = f"{source[:-2]}.{level}"
        compiler = [self.options.plain, "-O1"]
        if level != "plain":
            compiler = [self.options.acre_cc, *LEVELS[level], "-facre-malloc=collected"]
        support = os.path.join(HERE, "bases_support.c")
        command = [*compiler, "-w", "-I", HERE, source, support, "-o", output, "-lpthread"]
        return output, self.execute(command)[1]

    def check(self, seed, level, source):
        """Of each run: level, mode, what it printed, and what went wrong."""
        path, wrong = self.compile(source, level)
        if wrong:
            return [(level, "compiler", "", wrong)]
        modes = ["none"] if level == "plain" else ["none", *self.options.modes.split(",")]
        runs = []
        for mode in modes:
            argument = "ticks" if mode == "stress" else mode
            runs.append(
                (level, mode, *self.execute([path, argument, self.rounds], ACRE_HEAP=HEAP[mode]))
            )
        os.remove(path)
        return runs


def differing(expected, printed):
    kept = dict(line.split() for line in expected.splitlines())
    lines = (line.split() for line in printed.splitlines() if line.count(" ") == 1)
    return [name for name, value in lines if kept.get(name) != value]


def check_program(runner, pool, seed):
    """How many loops failed in at least one run."""
    options = runner.options
    source = os.path.join(runner.folder, f"loops-{seed}.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(program(seed, options.loops))
    levels = ["plain", *options.levels.split(",")]
    results = [
        run
        for runs in pool.map(lambda level: runner.check(seed, level, source), levels)
        for run in runs
    ]
    expected, failed = results[0][2], set()
    for level, mode, printed, wrong in results:
        bad = differing(expected, printed)
        if wrong or printed != expected:
            print(
                f"seed {seed} at {level}, {mode}: {len(bad)} loops differ: "
                f"{' '.join(bad[:12])} {wrong[:500]}",
                flush=True,
            )
            failed.update(bad or ["all"])
    if failed and not options.discard:
        shutil.copy(source, os.path.basename(source))
    os.remove(source)
    return len(failed)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument("--plain", required=True)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--loops", type=int, default=300)
    parser.add_argument("--levels", default="O1,O2,O3,Os,lto")
    parser.add_argument("--modes", default="ticks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--discard", action="store_true", help="keep no failing program")
    return parser.parse_args()


def main():
    options = parse_arguments()
    failures, began = 0, time.time()
    with tempfile.TemporaryDirectory(
        prefix="acre-bases-"
    ) as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(options, folder)
        for seed in range(options.seed, options.seed + options.count):
            failures += check_program(runner, pool, seed)
    print(
        f"seeds {options.seed} to {options.seed + options.count - 1}: "
        f"{options.count * options.loops} loops at {options.levels}, modes {options.modes}: "
        f"{failures} failed, {time.time() - began:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
