#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and drops trees in C with Acre's regions and in other languages and with other allocators,
on the same job.

  trees          complete binary trees of many sizes, beside one that stays
  expressions    texts of arithmetic, each parsed into a tree that is evaluated and dropped

As root on Debian, installs the compilers and libraries that are missing; cargo fetches the crates.
What cannot be built is skipped, with the reason; nothing is measured of a program whose answer is
not that of the others.  The peers take turns.  Writes raw data to
benchmarks/results/<date>-<machine>/peers.json and the page docs/results/peers.md.
"""

import argparse
import collections
import dataclasses
import datetime
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))
import common  # noqa: E402

TASKS = {
    "trees": (
        "Complete binary trees of 4 to {0} levels, each built, counted and dropped; one of {0}"
        " levels stays."
    ),
    "expressions": (
        "16 texts of arithmetic, {0} times: each parsed into a tree, which is evaluated and"
        " dropped."
    ),
}
PACKAGES = {
    "clang-22": "clang-22",
    "cargo": "cargo",
    "go": "golang-go",
    "javac": "default-jdk-headless",
}
LIBRARIES = {"/usr/include/gc.h": "libgc-dev", "/usr/include/mimalloc.h": "libmimalloc-dev"}
C_FLAGS = ["-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror"]
LONGEST_RUN_SECONDS = 300


class Failed(Exception):
    """A peer could not be built or run."""


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    what: str
    build: object  # called with task, directory and options; returns the command


def call(command, **settings):
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, **settings
        )
    except OSError as reason:
        raise Failed(str(reason)) from reason
    if done.returncode:
        raise Failed(
            f"{os.path.basename(command[0])}: {(done.stderr or done.stdout).strip()[-400:]}"
        )
    return done.stdout


def c_program(name, compiler, *arguments, libraries=()):
    def build(task, directory, options):
        program = os.path.join(directory, f"{task}-{name}")
        words = [word.format(acre=options.acre, root=ROOT) for word in (compiler, *arguments)]
        last = [word.format(acre=options.acre) for word in libraries]
        call(
            [words[0], *C_FLAGS, *words[1:], os.path.join(HERE, task + ".c"), "-o", program, *last]
        )
        return [program]

    return build


def rust_program(feature):
    def build(task, directory, _options):
        sources = os.path.join(directory, "rust-sources")
        if not os.path.exists(sources):
            shutil.copytree(os.path.join(HERE, "rust"), sources)
        target = os.path.join(directory, "rust-" + feature)
        call(
            ["cargo", "build", "--release", "--features", feature, "--bin", task],
            cwd=sources,
            env={**os.environ, "CARGO_TARGET_DIR": target},
        )
        return [os.path.join(target, "release", task)]

    return build


def go_program(task, directory, _options):
    program = os.path.join(directory, task + "-go")
    call(
        ["go", "build", "-o", program, os.path.join(HERE, task + ".go")],
        env={**os.environ, "GOCACHE": os.path.join(directory, "go-cache"), "GOFLAGS": "-mod=mod"},
    )
    return [program]


def java_program(task, directory, _options):
    call(["javac", "-d", directory, os.path.join(HERE, task.capitalize() + ".java")])
    return [shutil.which("java"), "-cp", directory, task.capitalize()]


PEERS = (
    Peer(
        "inf", "C, counted regions: acre-cc", c_program("inf", "{acre}/bin/acre-cc", "-DPOOL_ACRE")
    ),
    Peer(
        "norc",
        "C, regions, not counted: plain clang",
        c_program(
            "norc",
            "clang-22",
            "-DPOOL_ACRE",
            "-I{root}/include",
            libraries=("{acre}/lib/libacre.a", "-lpthread"),
        ),
    ),
    Peer("malloc", "C, malloc and free of glibc", c_program("malloc", "clang-22", "-DPOOL_MALLOC")),
    Peer(
        "mimalloc",
        "C, malloc and free of mimalloc",
        c_program("mimalloc", "clang-22", "-DPOOL_MALLOC", libraries=("-lmimalloc",)),
    ),
    Peer(
        "bdwgc",
        "C, bdwgc, nothing freed",
        c_program("bdwgc", "clang-22", "-DPOOL_COLLECTED", libraries=("-lgc",)),
    ),
    Peer("bumpalo", "Rust, an arena of the crate bumpalo for each tree", rust_program("bump")),
    Peer(
        "typed-arena",
        "Rust, an arena of the crate typed-arena for each tree",
        rust_program("typed"),
    ),
    Peer("Rc", "Rust, `Rc`", rust_program("counted")),
    Peer("Go", "Go, its collector", go_program),
    Peer("Java", "Java, its collector", java_program),
)


def install_missing():
    wanted = [package for tool, package in PACKAGES.items() if not shutil.which(tool)]
    wanted += [package for header, package in LIBRARIES.items() if not os.path.exists(header)]
    if wanted and os.geteuid() == 0 and shutil.which("apt-get"):
        print("installing " + " ".join(wanted), flush=True)
        for arguments in (
            ["update"],
            *(["install", "-y", "--no-install-recommends", package] for package in wanted),
        ):
            subprocess.run(["apt-get", "-qq", *arguments], capture_output=True, check=False)


def build_launcher(directory):
    """Programs are started by a small one: what a run has used at most is never less than what
    started it."""
    launcher = os.path.join(directory, "launch")
    call(
        [
            "clang-22",
            "-std=gnu17",
            "-O2",
            os.path.join(ROOT, "benchmarks", "evaluation", "launch.c"),
            "-o",
            launcher,
        ]
    )
    return launcher


def run(command, argument, launcher):
    """Returns what was printed, and seconds of the processor, seconds elapsed and the peak of
    resident memory in MiB."""
    usage = launcher + ".usage"
    start = time.perf_counter()
    try:
        output = call([launcher, usage, *command, str(argument)], timeout=LONGEST_RUN_SECONDS)
    except subprocess.TimeoutExpired as reason:
        raise Failed(f"takes more than {LONGEST_RUN_SECONDS} s") from reason
    elapsed = time.perf_counter() - start
    with open(usage, encoding="ascii") as file:
        user, system, peak = map(int, file.read().split()[:3])
    return output, ((user + system) / 1e6, elapsed, peak / 1024)


def prepare(task, directory, options):
    """The commands of the peers that can be built, and the reasons of the others."""
    commands, skipped = {}, {}
    for peer in PEERS:
        try:
            commands[peer.name] = peer.build(task, directory, options)
        except Failed as reason:
            skipped[peer.name] = str(reason)
            print(f"{task}: skipped {peer.name}: {reason}", flush=True)
    return commands, skipped


def measure(task, argument, directory, options):
    launcher = build_launcher(directory)
    commands, skipped = prepare(task, directory, options)
    answers, samples = {}, collections.defaultdict(list)
    for turn in range(
        options.runs + 1
    ):  # the first is not measured: it only has to answer as the others
        for name in list(commands) if turn % 2 else reversed(list(commands)):
            try:
                answers[name], sample = run(commands[name], argument, launcher)
                samples[name] += [sample] if turn else []
            except Failed as reason:
                skipped[name] = str(reason)
                del commands[name]
    expected = statistics.mode(answers[name] for name in commands)
    for name in [name for name in commands if answers[name] != expected]:
        skipped[name] = "its answer is not that of the others"
        del commands[name]
    return {
        "argument": argument,
        "skipped": skipped,
        "samples": {name: samples[name] for name in commands},
    }


def versions():
    found = []
    for command, pattern in (
        (["clang-22", "--version"], r"clang version \S+"),
        (["rustc", "--version"], r"rustc \S+"),
        (["go", "version"], r"go\d\S+"),
        (["java", "-version"], r"openjdk version \S+"),
    ):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            found += re.findall(pattern, done.stdout + done.stderr)[:1]
        except OSError:
            continue
    return found


def table(data):
    what = {peer.name: peer.what for peer in PEERS}
    median = {
        name: [statistics.median(column) for column in zip(*runs)]
        for name, runs in data["samples"].items()
    }
    base = median.get("inf", [None])[0]
    lines = [
        "| peer | is | processor, s | of inf | elapsed, s | peak, MiB |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, (processor, elapsed, peak) in median.items():
        least, most = (pick(sample[0] for sample in data["samples"][name]) for pick in (min, max))
        share = f"{processor / base:.2f}" if base else "–"
        lines.append(
            f"| {name} | {what[name]} | {processor:.2f} ({least:.2f}–{most:.2f}) | {share} |"
            f" {elapsed:.2f} | {peak:.1f} |"
        )
    return lines


def write_page(path, data):
    lines = [
        "# The same job by others",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        (
            f"Machine: {data['machine']}; load over one and five minutes {data['load_before']}"
            f" before, {data['load_after']} after; measuring itself is a load of 1 or more."
        ),
        f"Versions: {'; '.join(data['versions'])}.",
        "",
        (
            "The same trees are built, used and dropped in each language; the sources are in"
            " `benchmarks/peers`, and their"
        ),
        (
            f"answers agree. Medians of {data['runs']} runs, taken in turn, after one that is not"
            " measured; in brackets the least"
        ),
        (
            "and the greatest. Processor time is that of all threads: collectors work beside the"
            " program. What a run takes to"
        ),
        "start is in it, for Java also compiling.",
    ]
    for task, result in data["tasks"].items():
        lines += ["", f"## {task}", "", TASKS[task].format(result["argument"]), "", *table(result)]
        for name, reason in result["skipped"].items():
            lines += ["", f"Skipped: {name}: {reason}."]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def load():
    return " and ".join(f"{value:.1f}" for value in os.getloadavg()[:2])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre",
        default=os.path.join(ROOT, "build"),
        help="a build directory, or where Acre is installed",
    )
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--depth", type=int, default=18, help="of the trees")
    parser.add_argument("--rounds", type=int, default=1000, help="of the expressions")
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "peers.md"))
    parser.add_argument("--from", dest="measured", help="raw data to write the page from")
    options = parser.parse_args()
    if options.measured:
        with open(options.measured, encoding="utf-8") as file:
            write_page(options.page, json.load(file))
        return
    install_missing()
    data = {
        "command": f"benchmarks/peers/run.py --runs {options.runs}",
        "date": datetime.date.today().isoformat(),
        "machine": common.machine(),
        "versions": versions(),
        "runs": options.runs,
        "load_before": load(),
        "tasks": {},
    }
    with tempfile.TemporaryDirectory() as directory:
        for task, argument in (("trees", options.depth), ("expressions", options.rounds)):
            data["tasks"][task] = measure(task, argument, directory, options)
    data["load_after"] = load()
    common.write_data(options.results, "peers", data)
    write_page(options.page, data)


if __name__ == "__main__":
    main()
