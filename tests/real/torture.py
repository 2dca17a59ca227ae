"""GCC's small programs of difficult C, each compiled and run by plain clang and by acre-cc: both
must end alike.

Those that plain clang refuses, or that do not end well with it, say nothing and are left out.
Prints each difference, and how many were compared.  Exit status: 0; 1 if two differ; 77 if the
source cannot be had.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

import sources
from toolchain import JOBS

PACKAGE = "gcc-12"
PARTS = ("gcc.c-torture/execute", "gcc.c-torture/compile", "gcc.dg/torture", "gcc.dg/atomic")
SETTINGS = {
    "O0": ["-O0"],
    "O2": ["-O2"],
    "O3": ["-O3"],
    "lto": ["-O2", "-flto", "-fuse-ld=lld"],
    "collected": ["-O2", "-facre-malloc=collected"],
    "verified": ["-O2", "-facre-checks=verified"],
    "bounds": ["-O2", "-facre-bounds"],
    "locals": ["-O1", "-facre-locals"],
    "patched": ["-O2"],
    "patched3": ["-O3", "-fno-pie", "-no-pie"],
}
# In these each program has a region, so its stores are patched (docs/design/pass/patching.md).
WITH_REGION = ("patched", "patched3")
# What GCC 12 takes without a word.
OLD_C = (
    "-std=gnu11",
    "-w",
    "-fwrapv",
    *(
        "-Wno-error=" + name
        for name in (
            "implicit-function-declaration",
            "int-conversion",
            "implicit-int",
            "incompatible-pointer-types",
            "return-mismatch",
        )
    ),
)
SECONDS = 120

Outcome = collections.namedtuple("Outcome", "what said")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre", required=True, help="the build directory")
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", required=True, help="where sources are kept")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take one program of N")
    parser.add_argument(
        "--settings", nargs="+", choices=SETTINGS, default=["O0", "O2", "collected"]
    )
    return parser.parse_args()


def programs(work):
    """The directory of the test suite, unpacked when it is first asked for."""
    tree = sources.fetch(os.path.join(work, "sources"), PACKAGE)
    suite = os.path.join(work, "torture")
    if not os.path.exists(os.path.join(suite, "complete")):
        os.makedirs(suite, exist_ok=True)
        (archive,) = glob.glob(os.path.join(tree, "gcc-*.tar.xz"))
        subprocess.run(
            [
                "tar",
                "-xf",
                archive,
                "-C",
                suite,
                "--strip-components=3",
                "--wildcards",
                *(f"*/gcc/testsuite/{part}/*" for part in PARTS),
            ],
            check=True,
        )
        open(os.path.join(suite, "complete"), "w", encoding="ascii").close()
    return [
        path
        for part in PARTS
        for path in sorted(glob.glob(os.path.join(suite, part, "**", "*.c"), recursive=True))
    ]


def is_to_run(path, text):
    return "c-torture/execute" in path or "dg-do run" in text


def own_options(text):
    """The options that a program asks for on every target, of those that change what C means."""
    given = [
        word
        for found in re.findall(r'dg-(?:additional-)?options "([^"]*)" *\}', text)
        for word in found.split()
    ]
    return [
        word
        for word in given
        if word.startswith(
            (
                "-D",
                "-std",
                "-fno-strict",
                "-fstrict",
                "-funsigned",
                "-fsigned",
                "-fshort",
                "-fno-common",
                "-ftrap",
                "-fms-ext",
                "-fplan9",
            )
        )
    ]


def attempt(command, directory):
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=directory,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stderr[-1000:]


def outcome(compiler, flags, path, is_run):
    with tempfile.TemporaryDirectory() as directory:
        target = os.path.join(directory, "program")
        try:
            status, said = attempt(
                [compiler, *flags, *([] if is_run else ["-c"]), path, "-o", target, "-lm"],
                directory,
            )
            if status or not is_run:
                return Outcome(f"compiler {status}", said)
            status, said = attempt([target], directory)
            return Outcome(f"program {status}", said)
        except subprocess.TimeoutExpired as late:
            return Outcome(f"{os.path.basename(late.cmd[0])} does not end", "")


def build_live_region(options):
    options.live_region = os.path.join(options.work, "live_region.o")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "live_region.c")
    compiler = os.path.join(options.acre, "bin", "acre-cc")
    subprocess.run([compiler, "-O1", "-c", source, "-o", options.live_region], check=True)


def compare(options, path):
    """The settings in which the program was compared, and the differences."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    is_run, common = is_to_run(path, text), [*OLD_C, *own_options(text)]
    compared, differences = 0, []
    for name in options.settings:
        plain_flags = [flag for flag in SETTINGS[name] if not flag.startswith("-facre")]
        plain = outcome(options.clang, [*common, *plain_flags], path, is_run)
        if not plain.what.endswith(" 0"):
            continue
        compared += 1
        added = [options.live_region] if is_run and name in WITH_REGION else []
        ours = outcome(
            os.path.join(options.acre, "bin", "acre-cc"),
            [*common, *SETTINGS[name], *added],
            path,
            is_run,
        )
        if ours.what != plain.what:
            differences.append(
                f"{path}, {name}: {ours.what}, with plain clang {plain.what}\n{ours.said}"
            )
    return compared, differences


def main():
    options = parse_options()
    options.acre, options.work = os.path.abspath(options.acre), os.path.abspath(options.work)
    try:
        chosen = programs(options.work)[:: options.every]
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return 77
    if set(WITH_REGION) & set(options.settings):
        build_live_region(options)
    total, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for number, (compared, differences) in enumerate(
            pool.map(lambda path: compare(options, path), chosen), 1
        ):
            total, failed = total + compared, failed + len(differences)
            for each in differences:
                print(each, flush=True)
            if number % 200 == 0:
                print(f"{number} of {len(chosen)} programs", file=sys.stderr, flush=True)
    print(
        f"{len(chosen)} programs, {total} comparisons ({', '.join(options.settings)}): {failed}"
        " differ"
    )
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
