# SPDX-License-Identifier: MIT
"""What the benchmark runners share: the name of the machine, where raw data goes, what callgrind
has counted."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "benchmarks", "results")
SKIPPED = 77


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    return model.group(1).strip() if model else platform.machine()


def machine():
    return f"{cpu_model()}, {os.cpu_count()} processors"


def machine_directory(date):
    kind = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\((r|tm)\)|cpu|@.*", "", cpu_model().lower())).strip(
        "-"
    )
    return f"{date}-{kind}"


def callgrind(command, **how):
    """Runs the command under callgrind, as subprocess.run does; the finished process, and the
    text of what was counted."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as out:
        tool = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out.name}"]
        done = subprocess.run([*tool, *map(str, command)], capture_output=True, check=False, **how)
        return done, out.read()


def callgrind_total(output):
    """All instructions that a file of callgrind's counts, from its text."""
    return int(re.search(r"^(?:totals|summary): (\d+)", output, re.M).group(1))


def limit_of_same_peak(peak_of, start, peak_kb, tries=8):
    """The limit, near start, with which a process takes no more than peak_kb, and most of it;
    None if no try found one.  peak_of(limit) runs it: kB, or None where memory was out."""
    limit, found = start, None
    for _ in range(tries):
        took = peak_of(limit)
        if took and took <= peak_kb:
            found = max(limit, found or 0)
        limit += (peak_kb - took) * 1024 if took else start // 20
    return found


def write_data(results, name, data):
    """Writes results/<date>-<machine>/<name>.json."""
    directory = os.path.join(results, machine_directory(data["date"]))
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
        file.write("\n")


def parse_programs(parser, name):
    """The command line of benchmarks/<name>, which builds programs: with --acre, --clang and
    --work."""
    parser.add_argument(
        "--acre", default=os.path.join(ROOT, "build"), help="build directory, or an installation"
    )
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument(
        "--work",
        help=f"where the programs are built; default: benchmarks/{name} in the build directory",
    )
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.work = os.path.abspath(options.work or os.path.join(options.acre, "benchmarks", name))
    return options


def main(name, description, tools, measure, write_page, command=None):
    """The command of a benchmark that measures one build directory and writes one page,
    docs/results/<name>.md; it is benchmarks/<name>/run.py, or another. measure(acre) gives the
    data; write_page(path, data) gets it with where and when it was measured.  Returns the exit
    status: 77 if one of the tools is missing.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    root = pathlib.Path(ROOT)
    parser.add_argument("--acre", type=pathlib.Path, default=root / "build", help="build directory")
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS, help="raw data")
    parser.add_argument(
        "--page", type=pathlib.Path, default=root / "docs" / "results" / f"{name}.md"
    )
    parser.add_argument(
        "--from", dest="measured", type=pathlib.Path, help="raw data to write the page from"
    )
    options = parser.parse_args()
    if options.measured:
        data = json.loads(options.measured.read_text())
    else:
        missing = [tool for tool in tools if not shutil.which(tool)]
        if missing:
            print(f"skipped: {missing[0]} is not installed")
            return SKIPPED
        data = {
            "command": command or f"benchmarks/{name}/run.py",
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
            **measure(options.acre.absolute()),
        }
        write_data(str(options.results), name, data)
    options.page.parent.mkdir(parents=True, exist_ok=True)
    write_page(options.page, data)
    print(options.page.read_text())
    return 0
