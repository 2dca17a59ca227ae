# SPDX-License-Identifier: MIT
"""The memory that real programs run on: the C library's malloc and others before it by LD_PRELOAD,
in a program that plain clang built, beside -facre-malloc=collected and =quarantine; and runs that
are compared, byte for byte.

Installs nothing: what is missing (libgc-dev, libmimalloc2.0, libjemalloc2) is left out and told.
"""

import ctypes.util
import dataclasses
import os
import re
import signal
import subprocess

import run as real
import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
MALLOC, ACRE, ACRE_WHOLE, QUARANTINE = "malloc", "Acre", "Acre, whole", "Acre, quarantine"
SAFE = "Acre, safe"
# What each tree but plain clang's is compiled with.
FLAGS = {
    "collected": "-facre-malloc=collected",
    "quarantine": "-facre-malloc=quarantine",
    "safe": "-facre-safe",
}
BDWGC, BDWGC_FREES = "bdwgc", "bdwgc, free"
# Seconds that a run may take on the heap of others; what takes longer is left out.
PEER_SECONDS = 60
COLLECTORS = (BDWGC, BDWGC_FREES, ACRE, ACRE_WHOLE, QUARANTINE, SAFE)


@dataclasses.dataclass
class Job:
    """One run of a program: arguments below its tree, the directory (the tree if None), and
    standard input.  With a script, the shell runs that, and $0 is the program."""

    name: str
    program: str
    arguments: tuple = ()
    directory: str = None
    stdin: bytes = None
    script: str = None

    def command(self, tree):
        binary = tree.path(self.program)
        if self.script:
            return ["/bin/sh", "-c", self.script, binary]
        return [binary, *self.arguments]

    def tells_pauses(self, column):
        """Not if the shell and others run on the heap too, each of which would tell its own."""
        return column in COLLECTORS and not (self.script and column in (BDWGC, BDWGC_FREES))


def build_preloads(options, directory):
    """What stands before the C library's malloc, and what is missing."""
    preloads, missing = {}, []
    for name, package in (("mimalloc", "libmimalloc2.0"), ("jemalloc", "libjemalloc2")):
        library = ctypes.util.find_library(name)
        if library:
            preloads[name] = library
        else:
            missing.append(f"{name} (package {package})")
    shim = os.path.join(directory, "bdwgc_malloc.so")
    built = subprocess.run(
        [
            options.clang,
            "-O2",
            "-fPIC",
            "-shared",
            os.path.join(HERE, "bdwgc_malloc.c"),
            "-o",
            shim,
            "-lgc",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode == 0:
        preloads[BDWGC] = shim
    else:
        missing.append("bdwgc (package libgc-dev)")
    return preloads, missing


def make_columns(preloads):
    """Name, which tree, environment."""
    columns = [(MALLOC, "plain", {})]
    for name, library in preloads.items():
        if name != BDWGC:
            columns.append((name, "plain", {"LD_PRELOAD": library}))
    if BDWGC in preloads:
        columns += [
            (BDWGC, "plain", {"LD_PRELOAD": preloads[BDWGC], "GC_MARKERS": "1"}),
            (
                BDWGC_FREES,
                "plain",
                {"LD_PRELOAD": preloads[BDWGC], "GC_MARKERS": "1", "BDWGC_FREES": "1"},
            ),
        ]
    return columns + [
        (ACRE, "collected", {}),
        (ACRE_WHOLE, "collected", {"ACRE_HEAP": "whole"}),
        (QUARANTINE, "quarantine", {}),
    ]


def build_trees(program, options, kinds=("collected", "quarantine")):
    trees = {}
    for kind in kinds:
        os.environ["ACRE_FLAGS"] = FLAGS[kind]
        trees["plain"], trees[kind] = real.build_trees(program, options, kind)
    return trees


# -- Runs ------------------------------------------------------------------------------------------


class TooSlow(Exception):
    """A run took longer than it may."""


class Runner:
    """Runs programs with the launcher of the evaluation, and keeps files in a directory of its
    own."""

    def __init__(self, clang, directory):
        self.launcher, self.usage, self.note = (
            os.path.join(directory, name) for name in ("launch", "usage", "note")
        )
        subprocess.run(
            [
                clang,
                "-std=gnu17",
                "-O2",
                os.path.join(ROOT, "benchmarks", "evaluation", "launch.c"),
                "-o",
                self.launcher,
            ],
            check=True,
        )

    def run(self, command, cwd, stdin, env, limit=None):
        """Output, and the processor time and peak memory of one run, which may take limit
        seconds."""
        settings = [f"{name}={value}" for name, value in env.items()]
        with subprocess.Popen(
            [self.launcher, self.usage, *settings, *command],
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(stdin or b"", timeout=limit)
            except subprocess.TimeoutExpired as reason:
                os.killpg(process.pid, signal.SIGKILL)
                raise TooSlow from reason
        if process.returncode:
            raise toolchain.Failed(
                f"{' '.join(command)}: exit status"
                f" {process.returncode}\n{output[-2000:].decode(errors='replace')}"
            )
        with open(self.usage, encoding="utf-8") as file:
            user, system, peak, *_ = map(int, file.read().split())
        return output, {"seconds": (user + system) / 1e6, "peak_kb": peak}

    def longest_pause(self, column, command, cwd, stdin, env):
        """Microseconds that the collector took at once, as it measures itself, and collections;
        in a run of its own."""
        is_bdwgc = column in (BDWGC, BDWGC_FREES)
        if os.path.exists(self.note):
            os.remove(self.note)
        self.run(
            command, cwd, stdin, {**env, "BDWGC_PAUSE" if is_bdwgc else "ACRE_TRACE": self.note}
        )
        with open(self.note, encoding="utf-8") as file:
            note = file.read()
        if is_bdwgc:
            nanoseconds, collections = map(int, note.split())
            return nanoseconds / 1000, collections
        return max(map(float, re.findall(r'"dur":([\d.]+)', note)), default=0.0), note.count(
            '"name":"finish"'
        )


def measure(job, trees, columns, runs, runner):
    """{column: the least figures of the runs}, the columns taking turns.  A peer that is too slow
    has no figures."""
    expected, result, too_slow = None, {}, set()
    for _ in range(runs):
        for column, kind, env in columns:
            if column in too_slow:
                continue
            command, cwd = job.command(trees[kind]), job.directory or trees[kind].directory
            limit = PEER_SECONDS if kind == "plain" and column != MALLOC else None
            try:
                output, figures = runner.run(command, cwd, job.stdin, env, limit)
            except TooSlow:
                too_slow.add(column)
                result.pop(column, None)
                continue
            expected = output if expected is None else expected
            if output != expected:
                raise toolchain.Failed(
                    f"{job.name}: with {column} it says something else: "
                    f"{toolchain.first_difference(expected, output)}"
                )
            best = result.setdefault(column, figures)
            result[column] = {**best, **{key: min(figures[key], best[key]) for key in figures}}
            if job.tells_pauses(column):
                pause, collections = runner.longest_pause(column, command, cwd, job.stdin, env)
                result[column]["pause_us"] = min(pause, result[column].get("pause_us", pause))
                result[column]["collections"] = collections
    return {"columns": result, "output_bytes": len(expected)}
