"""Compiles C files with acre-cc at every optimisation setting and runs each result.

usage: run_each_level.py --acre-cc PATH [--expect-abort [PREFIX]] [--expect TEXT] -o STEM FILE...
       [-- COMPILER-OPTION...]

Without --expect-abort each program must exit 0.  With it each must die of SIGABRT, and what it
wrote to stderr is given to FileCheck: the lines of the first FILE with PREFIX, which is ABORT if
not given, must match all of it, for no character but blanks may be left over.  [[FILE]] in them is
the name of that file; C files have lost their folders. With --expect TEXT must be on stdout.  The
settings are -O0, -Og -g, -O2, -O3 and -O2 -flto, or those that ACRE_TEST_LEVELS in the environment
names: O2,lto.
"""

import argparse
import os
import re
import signal
import subprocess
import sys

LEVELS = (
    ("O0", ["-O0"]),
    ("Og", ["-Og", "-g"]),
    ("O2", ["-O2"]),
    ("O3", ["-O3"]),
    ("lto", ["-O2", "-flto", "-fuse-ld=lld"]),
)


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **options)


def fault_of_message(message, prefix, source):
    """What is wrong with the message of a program that was ended; empty if nothing is."""
    check = ["FileCheck", f"--check-prefix={prefix}", "--implicit-check-not={{[^ ]}}"]
    check += [f"-DFILE={os.path.basename(source)}", source]
    message = re.sub(r"^qemu: uncaught target signal.*\n", "", message, flags=re.MULTILINE)
    return run(check, input=re.sub(r"[^ (]*/([^ /]*\.[ch])", r"\1", message)).stderr


def fault_of_run(ran, options):
    """What is wrong with how a program ended; empty if nothing is."""
    wanted = -signal.SIGABRT if options.expect_abort else 0
    if ran.returncode != wanted:
        return f"wanted {wanted}"
    if options.expect and options.expect not in ran.stdout:
        return f"wanted {options.expect} on stdout"
    if options.expect_abort:
        return fault_of_message(ran.stderr, options.expect_abort, options.files[0])
    return ""


def arguments(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument("--expect-abort", nargs="?", const="ABORT", metavar="PREFIX")
    parser.add_argument("--expect")
    parser.add_argument("-o", required=True)
    parser.add_argument("files", nargs="+")
    return parser.parse_args(argv)


def main():
    argv, extra = sys.argv[1:], []
    if "--" in argv:
        cut = argv.index("--")
        argv, extra = argv[:cut], argv[cut + 1 :]
    options, failed = arguments(argv), False
    chosen = os.environ.get("ACRE_TEST_LEVELS") or ",".join(name for name, _ in LEVELS)
    for name, flags in LEVELS:
        if name not in chosen.split(","):
            continue
        program = f"{options.o}.{name}"
        command = [options.acre_cc, *flags, *options.files, "-o", program, *extra]
        built = run(command)
        if built.returncode or built.stderr:
            said = f"{' '.join(command)}\nexit {built.returncode}\n{built.stderr}"
        else:
            ran = run([program], timeout=600)
            said = fault_of_run(ran, options)
            if said:
                said = f"exit {ran.returncode}: {said}\nstdout: {ran.stdout}\nstderr: {ran.stderr}"
        if said:
            print(f"{name}: {said}", file=sys.stderr)
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
