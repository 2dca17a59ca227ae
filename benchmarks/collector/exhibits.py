# SPDX-License-Identifier: MIT
"""Exhibits of the page that compare whole runs: with bdwgc, with less and less memory, and by
what instructions are for."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import common  # run.py has put it on the path

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MB = 1e6
AMPLE = 22.7e6
ROUNDS = 5  # of a workload, in a process
TURNS = 5  # of each column, for each round asked for
PAGE_KINDS = ["TM_BL", "TM_PM", "TM_RM", "TM_RT", "ACRE"]
OBJECT_KINDS = ["FLS", "FLS-PH", "ALS", "ALS-PH", "ACRE"]
FIGURES = {  # the paper's heap sizes, MB (Tables 3 and 6), and the configurations of its figure
    "TRANS": ((22.7, 11.0, 10.9), PAGE_KINDS),
    "HTTPD": ((22.7, 19.5, 16.4), PAGE_KINDS),
    "LFS": ((22.7, 11.7, 8.6), PAGE_KINDS),
    "BLUR": ((22.7, 19.5, 9.5), PAGE_KINDS),
    "M3": ((10.6, 9.4, 8.6), OBJECT_KINDS),
    "M3PP": ((1.5, 0.8, 0.4), OBJECT_KINDS),
}


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(head, rows):
    return [row(head), row(["---"] + ["---:"] * (len(head) - 1)), *map(row, rows), ""]


# -- bdwgc -----------------------------------------------------------------------------------------


def build_throughput(directory, acre, compiler):
    """The programs on Acre and on bdwgc; None where there is no bdwgc."""
    common = [
        compiler,
        "-O2",
        "-std=gnu17",
        "-I",
        ROOT / "include",
        HERE / "throughput.c",
        HERE / "workloads.c",
    ]
    programs = [pathlib.Path(directory) / name for name in ("on_acre", "on_bdwgc")]
    subprocess.run([*common, acre / "lib" / "libacre.a", "-pthread", "-o", programs[0]], check=True)
    done = subprocess.run(
        [*common, "-DUSE_BDWGC", "-lgc", "-o", programs[1]], check=False, capture_output=True
    )
    return programs if done.returncode == 0 else None


def run_once(command):
    """What one run prints; None if it is out of memory."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, env={"GC_MARKERS": "1"}
    )
    return None if done.returncode else json.loads(done.stdout)


def least_in_turns(commands, rounds):
    """Of each command the least processor time of several runs, and the largest peak; None if
    one is out of memory.  They take turns, because the machine's speed changes."""
    best = dict.fromkeys(commands)
    failed = set()
    for _ in range(rounds):
        for name, command in commands.items():
            run = run_once(command) if command and name not in failed else None
            if run is None:
                failed.add(name)
                continue
            old = best[name] or run
            best[name] = {
                **run,
                "cpu_us": min(run["cpu_us"], old["cpu_us"]),
                "peak_kb": max(run["peak_kb"], old["peak_kb"]),
            }
    return {name: None if name in failed else run for name, run in best.items()}


def bdwgc(programs, workloads, rounds):
    measured = {}
    for workload in workloads if programs else ():
        commands = {"bdwgc": [programs[1], workload, ROUNDS]}
        peer = least_in_turns(commands, rounds)["bdwgc"]
        for name, rest in (("in increments", []), ("in one step", ["whole"])):
            limit = common.limit_of_same_peak(
                lambda limit: (run_once([programs[0], workload, ROUNDS, limit, *rest]) or {}).get(
                    "peak_kb"
                ),
                peer["heap"],
                peer["peak_kb"],
            )
            commands[name] = [programs[0], workload, ROUNDS, limit, *rest] if limit else None
        measured[workload] = least_in_turns(commands, TURNS * rounds)
        print(workload, measured[workload], flush=True)
    return measured


def bdwgc_part(measured):
    lines = [
        "## On bdwgc, with as much memory",
        "",
        (
            f"Each workload {ROUNDS} times in one process (`throughput.c`), the same source on"
            " both: bdwgc with one marker, and Acre with the limit with which"
        ),
        (
            "the peak of the process is at most that of bdwgc. Processor time, the least of the"
            " runs, which take turns; zeroing is counted for both."
        ),
        "",
    ]
    if not measured:
        return [*lines, "Not measured: libgc-dev is not installed.", ""]
    rows = []
    for workload, m in measured.items():
        cells = [
            workload,
            f"{m['bdwgc']['cpu_us'] / 1000:.0f}",
            f"{m['bdwgc']['peak_kb'] / 1024:.1f}",
            str(m["bdwgc"]["collections"]),
        ]
        for name in ("in one step", "in increments"):
            run = m[name]
            cells += (
                [
                    f"{run['cpu_us'] / 1000:.0f}",
                    f"{run['peak_kb'] / 1024:.1f}",
                    str(run["collections"]),
                ]
                if run
                else ["out", "", ""]
            )
        rows.append(cells)
    return lines + table(
        [
            "",
            "bdwgc, ms",
            "peak, MiB",
            "collections",
            "Acre in one step, ms",
            "peak, MiB",
            "collections",
            "Acre in increments, ms",
            "peak, MiB",
            "collections",
        ],
        rows,
    )


# -- Less and less memory: Figures 5 and 9 ---------------------------------------------------------


def heap_sizes(workload, smallest):
    """Ample, less (all of the configurations complete), even less (the better half does)."""
    sizes = sorted(smallest[workload][kind] for kind in FIGURES[workload][1])
    ample = AMPLE if workload in ("TRANS", "HTTPD", "LFS", "BLUR") else 1.65 * sizes[-1]
    return [
        int(max(ample, 1.05 * sizes[-1])),
        int(1.03 * sizes[-1]),
        int(1.03 * sizes[len(sizes) // 2]),
    ]


def end_to_end(measure, program, smallest, rounds):
    return {
        workload: [
            {
                "limit": limit,
                "kinds": {
                    kind: measure(program, workload, kind, limit, "--pauses", rounds)
                    for kind in kinds
                },
            }
            for limit in heap_sizes(workload, smallest)
        ]
        for workload, (_, kinds) in FIGURES.items()
    }


def time_cell(run):
    if not run["complete"]:
        return "out"
    return f"{run['ns'] / 1e6:.1f} ({100 * run['collector_ns'] / run['ns']:.0f} %)"


def end_to_end_part(measured):
    lines = [
        "## With less and less memory: whole time, ms (Figures 5 and 9)",
        "",
        (
            "In brackets, of which in the collector. Ample memory; as much as all configurations"
            " need; as much as the better half of them needs. The"
        ),
        (
            "paper's sizes, for its own programs, are in brackets (Tables 3 and 6). It finds that"
            " times vary little with ample memory, and that with less"
        ),
        "the configurations that use memory badly slow down first, and fail. *out*: out of memory.",
        "",
    ]
    for kinds in (PAGE_KINDS, OBJECT_KINDS):
        rows = []
        for workload, runs in measured.items():
            if FIGURES[workload][1] is kinds:
                rows += [
                    [
                        workload,
                        f"{run['limit'] / MB:.2f} ({paper})",
                        *(time_cell(run["kinds"][kind]) for kind in kinds),
                    ]
                    for run, paper in zip(runs, FIGURES[workload][0])
                ]
        lines += table(["", "heap, MB (Tables 3, 6)", *kinds], rows)
    return lines


# -- What instructions are for: Figure 8 -----------------------------------------------------------

PARTS = {
    "clearing": (r"\w*memset\w*",),
    "collecting": ("run_below",),
    "carving": ("acre_gc_page_carve",),
    "migration and remapping": (
        "acre_gc_page_migrate",
        "acre_gc_space_take_moved",
        "acre_gc_space_gather_run",
    ),
    "barrier": ("acre_heap_stored_slow", "acre_heap_copied"),
}
ALLOCATION = ("acre_heap_try_alloc", "acre_heap_alloc")


def inclusive(text, names):
    return sum(
        int(match.group(1).replace(",", ""))
        for name in names
        for match in re.finditer(rf"^\s*([\d,]+) .*:{name}(?: \[|$)", text, re.M)
    )


def count(program, workload, kind, limit):
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "counts"
        subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={out}",
                program,
                workload,
                kind,
                str(limit),
            ],
            check=False,
            capture_output=True,
        )
        text = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--show-percs=no", out],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    total = int(re.search(r"^\s*([\d,]+).*PROGRAM TOTALS", text, re.M).group(1).replace(",", ""))
    parts = {name: inclusive(text, names) for name, names in PARTS.items()}
    allocation = inclusive(text, ALLOCATION)
    parts["allocation, the rest"] = max(
        0, allocation - sum(parts[name] for name in parts if name != "barrier")
    )
    return {"mutator": max(1, total - allocation - parts["barrier"]), **parts}


def overhead(program, workloads):
    if not shutil.which("valgrind"):
        return {}
    return {
        workload: {kind: count(program, workload, kind, int(AMPLE)) for kind in PAGE_KINDS}
        for workload in workloads
    }


def overhead_part(measured):
    names = [
        "clearing",
        "allocation, the rest",
        "carving",
        "migration and remapping",
        "collecting",
        "barrier",
    ]
    lines = [
        (
            "## With 22.7 MB: instructions of allocation and collection for 100 of the program"
            " (Figure 8)"
        ),
        "",
        (
            "Counted by callgrind, with what they call; system calls are not counted. *Barrier*:"
            " greying, while a collection runs; the test before it"
        ),
        "is the program's. The paper has less than 1 % of the time for migration and remapping.",
        "",
    ]
    if not measured:
        return [*lines, "Not measured: valgrind is not installed.", ""]
    rows = [
        [workload, kind, *(f"{100 * m[name] / m['mutator']:.2f}" for name in names)]
        for workload, kinds in measured.items()
        for kind, m in kinds.items()
    ]
    return lines + table(["", "configuration", *names], rows)
