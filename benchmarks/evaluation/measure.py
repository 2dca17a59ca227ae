# SPDX-License-Identifier: MIT
"""Builds a program in every column, checks its answer, and measures it.

Nothing is measured of a binary whose small run did not print what expected.txt holds.  A column
that fails is recorded with its reason, and the others go on.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess

import annotations
import columns as available_columns
import common

BUILD_JOBS = 2
PROFILED_FUNCTIONS = 5
LONGEST_RUN_SECONDS = 300
DELETE_FUNCTION = (  # in runtime/region/region.c: what every delete of regions passes through
    "delete_set"
)
STATISTICS = ("regions", "objects", "bytes", "peak", "counted", "checked")
USAGE = ("user", "system", "peak_kb", "minor_faults", "major_faults")


class Failed(Exception):
    """A program could not be built or gave the wrong answer."""


def firsts_of(complaint):
    """The errors in what a compiler said, or the end of it: for pages, so without the names of
    this machine's directories."""
    errors = [line for line in complaint.splitlines() if "error:" in line]
    text = "; ".join(errors[:3]) or complaint[-300:]
    return text.replace(common.ROOT + os.sep, "")


class Binary:
    """A program built in one column."""

    def __init__(self, program, column, work, launcher):
        self.program, self.column, self.launcher = program, column, launcher
        self.path = os.path.join(work, program.name, column.name)
        library = available_columns.shared_library(column.preload) if column.preload else None
        self.settings = [f"LD_PRELOAD={library}"] if library else []

    def build(self):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        complaint = self.program.build(self.column.mode, self.path)
        if complaint:
            raise Failed(f"does not compile: {firsts_of(complaint)}")

    def run(self, key, settings=()):
        """Runs with the arguments of run.txt's line key; returns standard output, standard error
        and the usage."""
        usage = self.path + ".usage"
        command, directory = self.program.session([self.path], key, self.path)
        try:
            done = subprocess.run(
                [self.launcher, usage, *self.settings, *settings, *command],
                cwd=directory,
                capture_output=True,
                check=False,
                timeout=LONGEST_RUN_SECONDS,
            )
        except subprocess.TimeoutExpired as late:
            raise Failed(f"the {key} run takes more than {LONGEST_RUN_SECONDS} seconds") from late
        errors = self.program.said(directory, done.stderr.decode(errors="replace"))
        if done.returncode:
            raise Failed(f"the {key} run ends with status {done.returncode}: {errors[-1000:]}")
        with open(usage, encoding="ascii") as file:
            numbers = dict(zip(USAGE, map(int, file.read().split())))
        return (
            done.stdout,
            errors,
            {**numbers, "user": numbers["user"] / 1e6, "system": numbers["system"] / 1e6},
        )

    def check_answer(self):
        if self.run("small")[0] != self.program.expected():
            raise Failed("the small run gives the wrong answer")

    def statistics(self):
        """What the runtime's counters say of the default run."""
        errors = self.run("default", ["MEMORY_STATS=1"])[1]
        found = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", errors)}
        return {name: found[name] for name in STATISTICS if name in found}

    def instructions(self, only_in=None, output="/dev/null"):
        """What callgrind counts in the small run, or in calls of one function of it."""
        counts = self.counts(only_in, output)
        return counts[0] if counts else None

    def counts(self, only_in=None, output="/dev/null"):
        """The same of each process that the program becomes; none if it failed."""
        options = [f"--toggle-collect={only_in}"] if only_in else []
        tool = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={output}",
            *options,
            self.path,
        ]
        command, directory = self.program.session(tool, "small", self.path)
        done = subprocess.run(
            command, cwd=directory, capture_output=True, check=False, timeout=LONGEST_RUN_SECONDS
        )
        said = self.program.said(directory, done.stderr.decode(errors="replace"))
        collected = re.findall(r"Collected : (\d+)", said) if done.returncode == 0 else ()
        return [int(count) for count in collected]


def self_counts(callgrind_output):
    """Instructions of each function itself, by name, and which of the names are the runtime's."""
    # Paths below the working directory would be printed relative to it.
    done = subprocess.run(
        ["callgrind_annotate", "--auto=no", "--threshold=100", callgrind_output],
        cwd="/",
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    counts, of_runtime = {}, set()
    for count, path, name in re.findall(
        r"^\s*([\d,]+) \([^)]*\)\s+(\S+?):(\S+)", done.stdout, re.M
    ):
        name = name.partition("'")[0]  # the rest tells calls of a recursive function apart
        counts[name] = counts.get(name, 0) + integer(count)
        if "/runtime/" in path or name.startswith("acre"):
            of_runtime.add(name)
    return counts, of_runtime


def integer(text):
    return int(text.replace(",", ""))


def build_launcher(compiler, work):
    os.makedirs(work, exist_ok=True)
    launcher = os.path.join(work, "launch")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.c")
    subprocess.run([compiler, "-std=gnu17", "-O2", source, "-o", launcher], check=True)
    return launcher


def attempt(step):
    """Returns why the step cannot be taken, or null."""
    try:
        step()
    except (Failed, OSError) as reason:
        return str(reason)
    return None


def prepare(binaries):
    """Builds and tries them; returns why each column that cannot be measured cannot.  Columns
    that differ only in what is preloaded have one build."""
    builders = {}
    for binary in binaries:
        builders.setdefault(binary.column.mode, binary)
    with concurrent.futures.ThreadPoolExecutor(BUILD_JOBS) as pool:
        steps = [builder.build for builder in builders.values()]
        reasons = dict(zip(builders, pool.map(attempt, steps)))
    failures = {}
    for binary in binaries:
        reason, builder = reasons[binary.column.mode], builders[binary.column.mode]
        if not reason and builder is not binary:
            shutil.copy(builder.path, binary.path)
        reason = reason or attempt(binary.check_answer)
        if reason:
            failures[binary.column.name] = reason
    return failures


def measure_times(binaries, options, failures):
    """Samples of usage by column.  The columns take turns, every other round in the opposite
    order; then those that are held against bars take further turns."""
    samples = {binary.column.name: [] for binary in binaries}
    compared = [binary for binary in binaries if binary.column.name in available_columns.COMPARED]
    for turn in range(options.runs + options.further_runs):
        taking_turns = binaries if turn < options.runs else compared
        for binary in taking_turns if turn % 2 == 0 else reversed(taking_turns):
            name = binary.column.name
            if name in failures:
                continue
            try:
                samples[name].append(binary.run("default")[2])
            except Failed as reason:
                failures[name] = str(reason)
    return {name: list_ for name, list_ in samples.items() if name not in failures}


def callgrind_output(binary):
    return binary.path + ".callgrind"


def measure_instructions(binaries):
    counts = {}
    for binary in binaries if shutil.which("valgrind") else ():
        if binary.column.mode.name in ("regions", "counted", "unannotated"):
            is_shown = binary.column.name in ("norc", "inf")
            in_deletes = {"deletes": binary.instructions(DELETE_FUNCTION)} if is_shown else {}
            counts[binary.column.name] = {
                "all": binary.instructions(output=callgrind_output(binary)),
                **in_deletes,
            }
    return counts


def measure_profile(binaries):
    """Where the instructions of inf beyond those of norc are: of the runtime by function, and of
    the program's own functions."""
    compared = {
        binary.column.name: binary for binary in binaries if binary.column.name in ("norc", "inf")
    }
    if len(compared) < 2 or not shutil.which("callgrind_annotate"):
        return {}
    (before, _), (after, of_runtime) = (
        self_counts(callgrind_output(compared[name])) for name in ("norc", "inf")
    )
    more = {name: after.get(name, 0) - before.get(name, 0) for name in {*before, *after}}
    most = sorted(more, key=more.get, reverse=True)
    parts = {
        "runtime": [name for name in most if name in of_runtime],
        "program": [name for name in most if name not in of_runtime],
    }
    return {
        part: {
            "all": sum(more[name] for name in names),
            "most": [(name, more[name]) for name in names[:PROFILED_FUNCTIONS] if more[name] > 0],
        }
        for part, names in parts.items()
    }


def measure_program(program, columns, launcher, options):
    columns = [column for column in columns if program.has_column(column.name)]
    binaries = [Binary(program, column, options.work, launcher) for column in columns]
    failures = prepare(binaries)
    binaries = [binary for binary in binaries if binary.column.name not in failures]
    times = measure_times(binaries, options, failures)
    binaries = [binary for binary in binaries if binary.column.name not in failures]
    statistics = {
        binary.column.name: binary.statistics()
        for binary in binaries
        if binary.column.is_counted or binary.column.name == "norc"
    }
    rates = {
        binary.column.name: program.throughput(binary.path, binary.settings) for binary in binaries
    }
    sites, stores = annotations.measure_stores(program, options)
    return {
        "size": annotations.measure_source(program),
        "time": times,
        "statistics": statistics,
        "instructions": measure_instructions(binaries),
        "profile": measure_profile(binaries),
        "sites": sites,
        "stores": stores,
        "throughput": rates,
        "failures": failures,
    }
