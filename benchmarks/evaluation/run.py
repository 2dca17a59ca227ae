# SPDX-License-Identifier: MIT
"""The evaluation of "Language Support for Regions", section 5, with programs of the same kinds:
what counted regions cost beside regions without counts, malloc and free, and a collector.

Each program of benchmarks/programs is built in every column of columns.py, at -O2; the columns take
turns.  Writes raw data to benchmarks/results/<date>-<machine>/evaluation.json,
docs/results/evaluation.md and its figures beside it.  As root on Debian, installs what optional
columns need; what is still missing is skipped, and the page says so.
Exit status: 0; 1 if a program failed in a column.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [
    HERE,
    os.path.join(ROOT, "benchmarks"),
    os.path.join(ROOT, "benchmarks", "programs"),
]
sys.dont_write_bytecode = True
import columns  # noqa: E402
import common  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
import programs  # noqa: E402

sys.path.append(os.path.join(ROOT, "tests", "real"))
import sources  # noqa: E402

PROGRAMS = sorted([*programs.names(), *programs.PORTS])


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre", default=os.path.join(ROOT, "build"), help="build directory, or an installation"
    )
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument(
        "--work", help="where the programs are built; default: in the build directory"
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each program in each column")
    parser.add_argument(
        "--further-runs",
        type=int,
        default=10,
        help="runs beyond these in the columns that are held against bars",
    )
    parser.add_argument(
        "--programs", nargs="+", choices=PROGRAMS, default=PROGRAMS, metavar="PROGRAM"
    )
    parser.add_argument(
        "--note", default="", help="a sentence for the page: what is to be known of this run"
    )
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "evaluation.md"))
    parser.add_argument(
        "--from",
        dest="measured",
        help=(
            "raw data to write the page from; with --programs, these are measured "
            "now and the others taken from there"
        ),
    )
    options = parser.parse_args()
    if options.runs < 1 or options.further_runs < 0:
        parser.error("--runs: at least 1; --further-runs: at least 0")
    options.acre = os.path.abspath(options.acre)
    options.page = os.path.abspath(options.page)
    options.work = os.path.abspath(
        options.work or os.path.join(options.acre, "benchmarks", "evaluation")
    )
    return options


def command_line(options):
    """The command without the paths of this machine."""
    words = [
        "benchmarks/evaluation/run.py",
        "--runs",
        str(options.runs),
        "--further-runs",
        str(options.further_runs),
    ]
    if options.programs != PROGRAMS:
        words += ["--programs", *options.programs]
    return shlex.join(words)


def version_of(command):
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["version unknown"])[0]


def measure_all(options):
    # The verifier's own time is not what is measured.
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "MEMORY_STATS", "LD_PRELOAD"):
        os.environ.pop(name, None)
    every = columns.all_columns(options.acre, options.clang)
    columns.install_missing(every)
    present, skipped = columns.available(every)
    launcher = measure.build_launcher(options.clang, options.work)
    load, results = [os.getloadavg()], {}
    for name in options.programs:
        print(f"-- {name}", flush=True)
        try:
            program = (
                programs.ported(name, options.work, options.clang)
                if name in programs.PORTS
                else programs.Program(name)
            )
        except sources.Unavailable as reason:
            skipped[name] = str(reason)
            continue
        results[name] = measure.measure_program(program, present, launcher, options)
        for column, reason in results[name]["failures"].items():
            print(f"{name}, {column}: {reason}", file=sys.stderr, flush=True)
    load.append(os.getloadavg())
    date = time.strftime("%Y-%m-%d")
    return {
        "command": command_line(options),
        "date": date,
        "machine": common.machine(),
        "load": load,
        "note": options.note,
        "runs": options.runs,
        "further_runs": options.further_runs,
        "versions": [
            version_of(os.path.join(options.acre, "bin", "acre")),
            version_of(options.clang),
            version_of("ldd"),
        ],
        "columns": {column.name: column.what for column in present},
        "skipped": skipped,
        "programs": results,
    }


def renew(known, fresh):
    """The known data with what was measured now."""
    programs_now = dict(sorted({**known["programs"], **fresh["programs"]}.items()))
    return {
        **known,
        "command": f"{known['command']}`, and then `{fresh['command']}",
        "date": fresh["date"],
        "programs": programs_now,
    }


def draw_figures(options, data):
    """Writes the figures beside the page; returns the names of those drawn."""
    if not columns.install_matplotlib():
        print("figures skipped: matplotlib is not installed (Debian package python3-matplotlib)")
        return []
    import figures  # only now is it known that matplotlib is there

    return figures.draw_all(data, os.path.splitext(options.page)[0])


def read_data(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    options = parse_options()
    if not options.measured and not os.path.exists(os.path.join(options.acre, "bin", "acre-cc")):
        print(f"run.py: {options.acre} has no bin/acre-cc", file=sys.stderr)
        return 1
    try:
        data = read_data(options.measured) if options.measured else None
        if not data or options.programs != PROGRAMS:
            fresh = measure_all(options)
            data = renew(data, fresh) if data else fresh
            common.write_data(options.results, "evaluation", data)
    except (OSError, ValueError, subprocess.CalledProcessError) as reason:
        print(f"run.py: {reason}", file=sys.stderr)
        return 1
    os.makedirs(os.path.dirname(options.page), exist_ok=True)
    page.write(options.page, data, draw_figures(options, data))
    print(page.verdict(data))
    return 1 if any(result["failures"] for result in data["programs"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
