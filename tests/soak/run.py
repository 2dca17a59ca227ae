#!/usr/bin/env python3
"""Runs random programs on the collected heap until the time is up: mutator.c with random settings
of ACRE_HEAP, and the unit tests that compare each configuration of a heap with a model.

Every run prints what repeats it.  Exit status: 0; 1 at the first failure, 2 if the programs cannot
be built.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
TIME_LIMIT = 900  # seconds of one run


def build(acre_cc, directory):
    programs = {}
    for level in LEVELS:
        programs[level] = os.path.join(directory, "mutator" + level)
        done = subprocess.run(
            [
                acre_cc,
                level,
                "-g",
                "-facre-malloc=collected",
                os.path.join(HERE, "mutator.c"),
                "-pthread",
                "-o",
                programs[level],
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.stderr.write(done.stderr)
            sys.exit(2)
    return programs


def settings_of(rng):
    """Words of ACRE_HEAP, and how many operations they leave time for."""
    words = ["poison", "growth=" + rng.choice(["32K", "128K", "512K", "2M", "8M"])]
    kind = rng.random()
    if kind < 0.6:
        words.append("increment=" + rng.choice(["64", "512", "2K", "16K", "128K"]))
    if kind < 0.8:
        words.append("pause=" + rng.choice(["0", "300", "1000", "100000"]))
    else:
        words.append("whole")
    if rng.random() < 0.15:
        return words + ["check"], 3000
    return words, rng.choice([30000, 100000, 200000])


def mutate(programs, seed):
    rng = random.Random(seed)
    words, operations = settings_of(rng)
    level, threads = rng.choice(LEVELS), rng.choice([1, 1, 2, 3, 6])
    return [programs[level], str(seed), str(operations), str(threads)], {
        "ACRE_HEAP": ",".join(words)
    }


def run(command, env):
    shown = " ".join([*(f"{name}={value}" for name, value in env.items()), *command])
    print(shown, flush=True)
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        print(f"soak: still running after {TIME_LIMIT} s: {shown}", file=sys.stderr)
        return False
    if done.returncode != 0:
        print(
            f"{done.stdout[-4000:]}{done.stderr[-4000:]}soak: exit status {done.returncode}:"
            f" {shown}",
            file=sys.stderr,
        )
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre-cc", default="build/bin/acre-cc")
    parser.add_argument(
        "--unit-tests", default="build/bin/acre_runtime_tests", help="left out with --rounds"
    )
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--rounds", type=int, help="so many random programs instead")
    parser.add_argument("--seed", type=int, help="of the first; the others follow it (random)")
    parser.add_argument(
        "--keep",
        help=(
            "a directory for the programs, so that what is printed can be run again (a temporary"
            " one)"
        ),
    )
    given = parser.parse_args()
    first = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 32)
    end = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as directory:
        programs = build(given.acre_cc, given.keep or directory)
        seed = first
        while seed < first + given.rounds if given.rounds else time.monotonic() < end:
            if not run(*mutate(programs, seed)):
                return 1
            if (
                not given.rounds
                and seed % 20 == 0
                and not run(
                    [given.unit_tests, "--gtest_brief=1", "--gtest_filter=*HeapPrograms*"],
                    {"ACRE_TEST_SEED": str(seed)},
                )
            ):
                return 1
            seed += 1
    print(f"soak: {seed - first} programs, seeds {first} to {seed - 1}: nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
