"""Builds one program of the evaluation in every mode and checks that all give the same answer.

usage: run.py --acre BUILD-DIRECTORY --clang CLANG --work DIRECTORY PROGRAM

Counted programs run with the verifier on.  Exit status: 0; 1 if a claim does not hold.
"""

import argparse
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "programs"))
sys.dont_write_bytecode = True
import programs  # noqa: E402

ENVIRONMENT = {
    "ACRE_VERIFY": "1",
    "ASAN_OPTIONS": "detect_leaks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
OPTIONAL = {
    "collected": "bdwgc is not installed (package libgc-dev)",
    "gcc": "gcc is not installed",
    "talloc": "talloc is not installed (package libtalloc-dev)",
    "apr": "APR is not installed (package libapr1-dev)",
}


class Failed(Exception):
    """A claim does not hold."""


def run(program, binary, arguments):
    done = subprocess.run(
        [binary, *arguments],
        cwd=program.directory,
        capture_output=True,
        check=False,
        timeout=300,
        env={**os.environ, **ENVIRONMENT},
    )
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def first_difference(wanted, given):
    for number, (one, other) in enumerate(zip(wanted.splitlines(), given.splitlines()), 1):
        if one != other:
            return f"line {number}: {other[:160]!r}, not {one[:160]!r}"
    return f"{len(given.splitlines())} lines, not {len(wanted.splitlines())}"


def expect_answer(claim, wanted, result):
    status, given, errors = result
    if status or errors:
        raise Failed(f"{claim}: status {status}\n{errors[-4000:]}")
    if given != wanted:
        raise Failed(f"{claim}: {first_difference(wanted, given)}")


def expect_refusal(claim, result):
    status, _, errors = result
    if (
        not 0 < status < 126
        or not errors
        or "ERROR: AddressSanitizer" in errors
        or "runtime error" in errors
    ):
        raise Failed(f"{claim}: status {status}\n{errors[-4000:]}")


def check_mode(program, mode, binary, agreed):
    """agreed: what the first mode said where nothing else says what is right."""
    expect_answer(
        f"{mode.name}, the small run",
        program.expected(),
        run(program, binary, program.words("small")),
    )
    for number, arguments in enumerate(program.keys.get("agree", [])):
        result = run(program, binary, arguments)
        expect_answer(
            f"{mode.name}: {' '.join(arguments)}", agreed.setdefault(number, result[1]), result
        )
    for arguments in program.keys.get("refused", []):
        expect_refusal(f"{mode.name}: {' '.join(arguments)}", run(program, binary, arguments))


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--acre", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("program", choices=programs.names())
    options = parser.parse_args()
    options.acre, options.work = os.path.abspath(options.acre), os.path.abspath(options.work)
    return options


def main():
    options = parse_options()
    program, agreed = programs.Program(options.program), {}
    os.makedirs(options.work, exist_ok=True)
    try:
        for mode in programs.modes(options.acre, options.clang).values():
            if not program.has_column(mode.name):
                continue
            if mode.name in OPTIONAL and not programs.is_available(mode):
                print(f"  {mode.name}: skipped, {OPTIONAL[mode.name]}", flush=True)
                continue
            binary = os.path.join(options.work, f"{program.name}-{mode.name}")
            complaint = program.build(mode, binary)
            if complaint:
                raise Failed(f"{mode.name} does not build: {complaint[-4000:]}")
            check_mode(program, mode, binary, agreed)
            print(f"  {mode.name}: the expected answer", flush=True)
    except Failed as failure:
        print(f"{program.name}: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
