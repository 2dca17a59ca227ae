"""Compiles C files with acre-cc at every optimisation setting and runs each result.

usage: run_each_level.py --acre-cc PATH [--expect-abort TEXT] [--expect TEXT] -o STEM FILE... [-- COMPILER-OPTION...]

Without --expect-abort each program must exit 0.  With it each must die of SIGABRT with TEXT on stderr.
With --expect TEXT must be on stdout.  The settings are -O0, -Og -g, -O2, -O3 and -O2 -flto.
"""

import argparse
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


def main():
    argv, extra = sys.argv[1:], []
    if "--" in argv:
        cut = argv.index("--")
        argv, extra = argv[:cut], argv[cut + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument("--expect-abort")
    parser.add_argument("--expect")
    parser.add_argument("-o", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(argv)
    failed = False
    for name, flags in LEVELS:
        program = f"{options.o}.{name}"
        command = [options.acre_cc, *flags, *options.files, "-o", program, *extra]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode or built.stderr:
            print(
                f"{name}: {' '.join(command)}\nexit {built.returncode}\n{built.stderr}",
                file=sys.stderr,
            )
            failed = True
            continue
        ran = subprocess.run(
            [program], capture_output=True, text=True, errors="replace", timeout=120
        )
        wanted = -signal.SIGABRT if options.expect_abort else 0
        right = ran.returncode == wanted
        right = right and (not options.expect_abort or options.expect_abort in ran.stderr)
        right = right and (not options.expect or options.expect in ran.stdout)
        if not right:
            print(
                f"{name}: exit {ran.returncode}, wanted {wanted}\nstdout: {ran.stdout}\nstderr: {ran.stderr}",
                file=sys.stderr,
            )
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
