#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the collected heap in each configuration, in the shape of the paper's tables.

  smallest heap    with which each workload completes (the paper's Tables 2 and 7), by bisection to
                   2 %
  pauses           with a limit of 22.7 MB (Table 5), and the collector's share of the time (Figure
                   8): the least
                   of several runs, for each pause and for the whole, because the workloads are
                   deterministic
  what fills it    useful, headers, padding, free, as a mean over the moments when collections start
                   (Figures 7 and 10),
                   with the smallest heap of the baseline

  growth           the longest pauses and the utilisation with more alive and with more roots
                   (growth.c)
  bdwgc            the same workloads on bdwgc, with as much memory (throughput.c)
  less memory      whole times with ample, less and even less of it (Figures 5 and 9, Tables 3 and
                   6)
  instructions     what allocation and collection take of them (Figure 8), by callgrind
  over the clock   what four configurations hold over the bytes allocated (Figures 7 and 10), from
                   traces of ACRE_TRACE

Writes raw data to benchmarks/results/<date>-<machine>/collector.json and the page
docs/results/collector.md.
"""

import argparse
import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import common  # noqa: E402
import exhibits  # noqa: E402
import figures  # noqa: E402

PAGE_KINDS = ["TM_BL", "TM_PM", "TM_RM", "TM_RT", "ACRE"]
OBJECT_KINDS = [
    "TM_BL",
    "FLS",
    "FLS-PH",
    "FLS-PH1",
    "ALS",
    "ALS-PH",
    "ALS-PH1",
    "FLS-PF",
    "FLS-PF2",
    "ACRE-LINKS",
    "ACRE",
]
OWN_KINDS = ["ALS", "ALS-PH", "ALS-PH1", "ACRE"]
PAGE_WORKLOADS = ["TRANS", "HTTPD", "LFS", "BLUR"]
OBJECT_WORKLOADS = ["M3PP", "M3", "CUBE"]
PAPER_SMALLEST = {  # MB: Tables 2 and 7
    "TRANS": {"TM_BL": 15.6, "TM_PM": 7.8, "TM_RM": 6.6, "TM_RT": 6.6},
    "HTTPD": {"TM_BL": 20.3, "TM_PM": 15.6, "TM_RM": 14.1, "TM_RT": 14.1},
    "LFS": {"TM_BL": 19.0, "TM_PM": 13.3, "TM_RM": 11.7, "TM_RT": 11.7},
    "BLUR": {"TM_BL": 10.8, "TM_PM": 10.2, "TM_RM": 6.3, "TM_RT": 6.2},
    "M3PP": {"FLS": 0.31, "FLS-PH": 0.31, "ALS": 0.31, "ALS-PH": 0.27},
    "M3": {"FLS": 9.4, "FLS-PH": 8.6, "ALS": 7.8, "ALS-PH": 8.2},
}
PAPER_LIVE = {
    "TRANS": (43.7, 3.2),
    "HTTPD": (16.1, 9.7),
    "LFS": (96.7, 4.6),
    "BLUR": (212.1, 4.5),
    "M3PP": (4.2, 0.1),
    "M3": (9.4, 4.3),
    "CUBE": (4.0, 0.5),
}  # MB allocated, MB alive: Table 1
PAPER_FREQUENCY = {  # collections for each MB allocated: Table 4
    "TRANS": {"TM_BL": 0.28, "TM_PM": 0.12, "TM_RM": 0.08, "TM_RT": 0.11},
    "HTTPD": {"TM_BL": 15.94, "TM_PM": 0.99, "TM_RM": 0.18, "TM_RT": 0.32},
    "LFS": {"TM_BL": 0.82, "TM_PM": 0.13, "TM_RM": 0.08, "TM_RT": 0.10},
    "BLUR": {"TM_BL": 1.88, "TM_PM": 0.13, "TM_RM": 0.08, "TM_RT": 0.09},
}
PAPER_PAUSE_MS = {  # Table 5
    "TRANS": {"TM_BL": 491, "TM_PM": 155, "TM_RM": 170, "TM_RT": 14},
    "HTTPD": {"TM_BL": 660, "TM_PM": 344, "TM_RM": 441, "TM_RT": 14},
    "LFS": {"TM_BL": 240, "TM_PM": 140, "TM_RM": 137, "TM_RT": 11},
    "BLUR": {"TM_BL": 132, "TM_PM": 93, "TM_RM": 95, "TM_RT": 12},
}
GROWTH_ROOTS = (1000, 10000, 100000)
MB = 1e6
AMPLE = int(22.7 * MB)


def build(directory, acre):
    compiler = next((c for c in ("clang-22", "clang", "cc") if shutil.which(c)), None)
    library = acre / "lib" / "libacre.a"
    if not compiler or not library.exists():
        sys.exit(f"run.py: no C compiler, or no {library}: run make")
    program = pathlib.Path(directory) / "collector"
    for name, sources in (
        ("collector", ["collector.c", "pauses.c", "workloads.c"]),
        ("growth", ["growth.c", "pauses.c"]),
    ):
        subprocess.run(
            [
                compiler,
                "-O2",
                "-std=gnu17",
                "-I",
                ROOT / "include",
                *(HERE / each for each in sources),
                library,
                "-o",
                program.with_name(name),
                "-pthread",
            ],
            check=True,
        )
    version = subprocess.run(
        [compiler, "--version"], capture_output=True, text=True, check=True
    ).stdout.splitlines()[0]
    return program, version


def measure(program, *arguments):
    result = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if not result.stdout:
        sys.exit(f"run.py: {' '.join(map(str, arguments))}: {result.stderr}")
    return json.loads(result.stdout)


def own_sizes(program, acre, workload, kind, smallest):
    """The smallest heap with the sizes that `acre sizes` chooses from the workload's own
    profile, written in a heap that is hardly larger than it must be: else most of what it calls
    alive is garbage."""
    limit = int(smallest * 1.02) + 8192
    profile = subprocess.run(
        [program, workload, kind, str(limit), "--profile"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".profile") as file:
        file.write(profile)
        file.flush()
        sizes = subprocess.run(
            [acre, "sizes", "--plain", file.name], capture_output=True, text=True, check=True
        ).stdout.strip()
    return measure(program, workload, kind, "--smallest", "--sizes", sizes)["smallest"]


def own_table(program, acre, smallest):
    if not acre.exists():
        print(f"run.py: no {acre}: sizes of each workload's own are left out")
        return {}
    return {
        workload: {
            kind: own_sizes(program, acre, workload, kind, smallest[workload][kind])
            for kind in OWN_KINDS
        }
        for workload in OBJECT_WORKLOADS
    }


def smallest_table(program):
    table = {}
    for workloads, kinds in ((PAGE_WORKLOADS, PAGE_KINDS), (OBJECT_WORKLOADS, OBJECT_KINDS)):
        for workload in workloads:
            table[workload] = {
                kind: measure(program, workload, kind, "--smallest")["smallest"] for kind in kinds
            }
            print(
                workload,
                {kind: round(size / MB, 2) for kind, size in table[workload].items()},
                flush=True,
            )
    return table


def runs(program, smallest, rounds):
    ample, tight = {}, {}
    for workload in PAGE_WORKLOADS + OBJECT_WORKLOADS + ["TREES"]:
        ample[workload] = {
            kind: measure(program, workload, kind, AMPLE, "--pauses", rounds) for kind in PAGE_KINDS
        }
    for workload, sizes in smallest.items():
        limit = int(sizes["TM_BL"] * 1.02)
        tight[workload] = {
            kind: measure(program, workload, kind, limit, "--pauses", 1) for kind in sizes
        }
    return ample, tight


def growth(program, sizes, rounds):
    measured = []
    for shape in ("trees", "table"):
        measured += [(shape, size, 0) for size in sizes]
    measured += [("trees", sizes[0], roots) for roots in GROWTH_ROOTS]
    return [
        {
            "shape": shape,
            "mb": size,
            "roots": roots,
            **measure(program.with_name("growth"), shape, size, roots, rounds),
        }
        for shape, size, roots in measured
    ]


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(head, rows):
    return [row(head), row(["---"] + ["---:"] * (len(head) - 1)), *map(row, rows), ""]


def smallest_part(smallest, own):
    lines = [
        "## Smallest heap that completes, MB (Tables 2 and 7)",
        "",
        "The paper's figure for its own program is in brackets.",
        "",
    ]
    for workloads, kinds in ((PAGE_WORKLOADS, PAGE_KINDS), (OBJECT_WORKLOADS, OBJECT_KINDS)):
        rows = []
        for workload in workloads:
            cells = [workload]
            for kind in kinds:
                paper = PAPER_SMALLEST.get(workload, {}).get(kind)
                cells.append(
                    f"{smallest[workload][kind] / MB:.2f}" + (f" ({paper})" if paper else "")
                )
            cells.append(f"{100 * smallest[workload]['ACRE'] / smallest[workload]['TM_BL']:.0f} %")
            rows.append(cells)
        lines += table(["", *kinds, "ACRE of TM_BL"], rows)
    lines += [
        (
            "HTTPD is mostly blocks of 8 KiB: TM_BL, as the paper's, has cells of powers of two,"
            " which such a block with a header exceeds."
        ),
        "",
    ]
    if own:
        lines += ["With the sizes that `acre sizes` chooses from the workload's own profile:", ""]
        rows = [
            [
                w,
                *(f"{sizes[k] / MB:.2f}" for k in OWN_KINDS),
                f"{100 * sizes['ACRE'] / smallest[w]['TM_BL']:.0f} %",
            ]
            for w, sizes in own.items()
        ]
        lines += table(["", *OWN_KINDS, "ACRE of TM_BL"], rows)
    return lines


def pause_cell(run):
    return (
        f"{run['longest_ns'] / 1000:.0f}"
        if run["complete"] and run["collections"]
        else "-" if run["complete"] else "out"
    )


def share_cell(run):
    return (
        f"{100 * run['collector_ns'] / run['ns']:.1f}" if run["complete"] and run["ns"] else "out"
    )


def ample_part(ample):
    lines = [
        "## With 22.7 MB: longest pause, µs",
        "",
        (
            "*out*: out of memory. *-*: no collection. Every configuration but TM_RT and ACRE"
            " collects in one step. The paper has"
        ),
        (
            "91 to 660 ms for TM_BL to TM_RM and 11 to 14 ms for TM_RT, on a machine of 266 MHz"
            " (Table 5, in brackets, ms)."
        ),
        "",
    ]
    lines += table(
        ["", *PAGE_KINDS, "ACRE: slots visited, at most", "increments", "mean, µs"],
        [
            [
                w,
                *(
                    pause_cell(r[k])
                    + (f" ({PAPER_PAUSE_MS[w][k]} ms)" if k in PAPER_PAUSE_MS.get(w, {}) else "")
                    for k in PAGE_KINDS
                ),
                str(r["ACRE"]["words_max"]),
                str(r["ACRE"]["increments"]),
                f"{r['ACRE']['mean_ns'] / 1000:.1f}",
            ]
            for w, r in ample.items()
        ],
    )
    lines += ["## With 22.7 MB: collections, and the collector's share of the time, %", ""]
    lines += table(
        ["", *(f"{k} {what}" for k in PAGE_KINDS for what in ("n", "%"))],
        [
            [w, *(c for k in PAGE_KINDS for c in (str(r[k]["collections"]), share_cell(r[k])))]
            for w, r in ample.items()
        ],
    )
    return lines


def share_of_windows(run):
    return " / ".join(f"{100 * each:.0f}" for each in run["mmu"]) if run["complete"] else "out"


def utilisation_part(ample, less):
    lines = [
        "## Least utilisation of 1 / 10 / 50 ms, %",
        "",
        (
            "The least share that any stretch of so many milliseconds, or of the whole run where"
            " that is shorter, left the program. In brackets: the heap, MB;"
        ),
        "below 22.7 MB those of the tables of whole times.",
        "",
    ]
    objects = [workload for workload in less if workload not in PAGE_WORKLOADS]
    rows = [
        [f"{w} ({AMPLE / MB:.1f})", *(share_of_windows(ample[w][k]) for k in PAGE_KINDS)]
        for w in ample
    ]
    for kinds, workloads, first in (
        (PAGE_KINDS, PAGE_WORKLOADS, rows),
        (exhibits.OBJECT_KINDS, objects, []),
    ):
        lines += table(
            ["", *kinds],
            first
            + [
                [
                    f"{w} ({run['limit'] / MB:.2f})",
                    *(share_of_windows(run["kinds"][k]) for k in kinds),
                ]
                for w in workloads
                for run in less[w]
                if run["limit"] < AMPLE
            ],
        )
    return lines


def frequency_part(ample):
    lines = [
        "## With 22.7 MB: collections for each MB allocated (Table 4)",
        "",
        "The paper's figure for its own program is in brackets.",
        "",
    ]
    return lines + table(
        ["", *PAGE_KINDS],
        [
            [
                w,
                *(
                    f"{ample[w][k]['collections'] / (ample[w][k]['allocated'] / MB):.2f}"
                    + (f" ({PAPER_FREQUENCY[w][k]})" if k in PAPER_FREQUENCY[w] else "")
                    for k in PAGE_KINDS
                ),
            ]
            for w in PAGE_WORKLOADS
        ],
    )


def growth_part(measured):
    lines = [
        "## Pauses with more alive, and with more roots",
        "",
        (
            "`growth.c`, the Acre configuration with a limit of twice what is alive. *trees*:"
            " complete binary trees of 4095 nodes, replaced"
        ),
        (
            "one at a time; *table*: a hash table in one array, with chains of records. Roots: so"
            " many frames and as many handles. The"
        ),
        (
            "programs do nothing but allocate, so that utilisation shows the pace: four bytes"
            " marked for each allocated. A"
        ),
        (
            "longest pause far above the others, of increments that visit no more slots, is most"
            " likely what else the machine did in every round."
        ),
        "",
    ]
    return lines + table(
        [
            "",
            "alive, MB",
            "roots",
            "longest, µs",
            "99.9 % within, µs",
            "slots visited, at most",
            "pauses",
            "utilisation of 1 / 10 / 50 ms, %",
        ],
        [
            [
                m["shape"],
                str(m["mb"]),
                str(m["roots"]),
                f"{m['longest_ns'] / 1000:.0f}",
                f"{m['p999_ns'] / 1000:.0f}",
                str(m["words_max"]),
                str(m["pauses"]),
                " / ".join(f"{100 * each:.0f}" for each in m["mmu"]),
            ]
            for m in measured
        ],
    )


def composition_part(tight):
    lines = [
        "## What fills the heap when it is full, % of it",
        "",
        (
            "With the smallest heap that TM_BL completes in; a mean over the moments when a"
            " collection starts. An incremental"
        ),
        (
            "collector starts before the heap is full: the rest of *free* is what it may still use."
            " *Within pages*: what of that is on pages with objects, the"
        ),
        (
            "paper's sub-page external fragmentation, which filling pages (FLS-PF, FLS-PF2) is to"
            " reduce: about 15 % with FLS, 8 and 3 to 4 in its Figure 11."
        ),
        "",
    ]
    rows = []
    for workload, kinds in tight.items():
        for kind, run in kinds.items():
            total = sum(run["peak"].values())
            if total:
                rows.append(
                    [
                        workload,
                        kind,
                        *(
                            f"{100 * run['peak'][part] / total:.1f}"
                            for part in ("useful", "headers", "padding", "external")
                        ),
                        f"{100 * run['within_pages'] / total:.1f}",
                        str(run["collections"]),
                        str(run["migrations"]),
                        str(run["remapped"]),
                        str(run["filled"]),
                    ]
                )
    return lines + table(
        [
            "",
            "configuration",
            "useful",
            "headers",
            "padding",
            "free",
            "within pages",
            "collections",
            "migrated pages",
            "remapped pages",
            "gaps filled",
        ],
        rows,
    )


def alive_cell(tight, paper):
    return f"{tight['TM_BL']['alive'] / MB:.1f} ({paper[1]})" if tight else ""


def page(data):
    lines = [
        "# The collected heap, measured",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        f"Machine: {data['machine']}. Compiler: {data['compiler']}.",
        (
            "The workloads are programs of the shape and size of the paper's, written for this"
            " (`benchmarks/collector/workloads.c`);"
        ),
        (
            "they are not the paper's own. Other programs ran on the machine: times are the least"
            " of several runs."
        ),
        "",
    ]
    lines += [
        "| workload | what it is like | allocated, MB (Table 1) | objects | alive, MB (Table 1) |",
        "|---|---|---:|---:|---:|",
    ]
    for name, what in data["workloads"].items():
        run, paper = data["ample"][name]["ACRE"], PAPER_LIVE.get(name)
        lines.append(
            f"| {name} | {what} | {run['allocated'] / MB:.1f}"
            + (f" ({paper[0]})" if paper else "")
            + f" | {run['objects']} | {alive_cell(data['tight'].get(name), paper)} |"
        )
    lines += [
        "",
        "*Alive*: a mean over the ends of collections, in the smallest heap of TM_BL.",
        "",
    ]
    lines += smallest_part(data["smallest"], data["own"]) + ample_part(data["ample"])
    lines += utilisation_part(data["ample"], data["end_to_end"]) + frequency_part(data["ample"])
    lines += exhibits.bdwgc_part(data["bdwgc"]) + exhibits.end_to_end_part(data["end_to_end"])
    lines += exhibits.overhead_part(data["overhead"]) + growth_part(data["growth"])
    for name, what in data["figures"].items():
        lines += [f"## {what}", "", f"![{what}](collector-{name}.svg)", ""]
    lines += composition_part(data["tight"])
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--acre", type=pathlib.Path, default=ROOT / "build", help="the build directory (build)"
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="runs of which the least pause counts (5)"
    )
    parser.add_argument(
        "--alive",
        type=int,
        nargs="+",
        default=[16, 64, 256, 1000],
        help="MB alive, of growth.c (16 64 256 1000)",
    )
    parser.add_argument("--no-write", action="store_true", help="print the page, write nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        program, version = build(directory, given.acre)
        listed = subprocess.run(
            [program, "--list"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        workloads = dict(line.split(" ", 2)[1:] for line in listed if line.startswith("workload "))
        smallest = smallest_table(program)
        own = own_table(program, given.acre / "bin" / "acre", smallest)
        ample, tight = runs(program, smallest, given.rounds)
        compared = exhibits.bdwgc(
            exhibits.build_throughput(
                directory, given.acre, "clang-22" if shutil.which("clang-22") else "cc"
            ),
            workloads,
            given.rounds,
        )
        less = exhibits.end_to_end(measure, program, smallest, given.rounds)
        counted = exhibits.overhead(program, PAGE_WORKLOADS)
        grown = growth(program, given.alive, min(given.rounds, 3))
        drawn = (
            {}
            if given.no_write
            else figures.draw_all(program, smallest, ROOT / "docs" / "results" / "collector")
        )
    command = (
        f"benchmarks/collector/run.py --rounds {given.rounds} --alive"
        f" {' '.join(map(str, given.alive))}"
    )
    data = {
        "command": command,
        "date": datetime.date.today().isoformat(),
        "machine": common.machine(),
        "compiler": version,
        "workloads": workloads,
        "smallest": smallest,
        "own": own,
        "ample": ample,
        "tight": tight,
        "growth": grown,
        "figures": drawn,
        "bdwgc": compared,
        "end_to_end": less,
        "overhead": counted,
    }
    if given.no_write:
        print(page(data))
        return
    common.write_data(common.RESULTS, "collector", data)
    (ROOT / "docs" / "results" / "collector.md").write_text(page(data), encoding="utf-8")


if __name__ == "__main__":
    main()
