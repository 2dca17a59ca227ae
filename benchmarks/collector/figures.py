# SPDX-License-Identifier: MIT
"""The figures of the page: what heaps hold over the allocation clock, from traces, as SVG that
is the same whenever they are."""

import json
import os
import pathlib
import subprocess
import tempfile

import small_svg

PARTS = (
    ("useful", "#4c78a8"),
    ("headers", "#f2b701"),
    ("padding", "#e45756"),
    ("external", "#eeeeee"),
)
POINTS = 45  # of each panel
AMPLE = int(22.7e6)
FIGURES = {
    "pages": (
        "What the heap holds, % of it, over MB allocated, with 22.7 MB (Figure 7)",
        ("TRANS", "HTTPD", "LFS", "BLUR"),
        ("TM_BL", "TM_PM", "TM_RM", "TM_RT", "ACRE"),
        False,
    ),
    "objects": (
        (
            "What the heap holds, % of it, over MB allocated, with the smallest heap of FLS"
            " (Figures 10 and 11)"
        ),
        ("M3PP", "M3"),
        ("FLS", "FLS-PH", "ALS", "ALS-PH", "FLS-PF", "FLS-PF2"),
        True,
    ),
}


def samples(program, workload, kind, limit):
    """(clock, limit, useful, headers, padding, external) at as many moments, evenly over the
    samples of the trace."""
    with tempfile.TemporaryDirectory() as directory:
        trace = pathlib.Path(directory) / "trace.json"
        subprocess.run(
            [program, workload, kind, str(limit)],
            env={**os.environ, "ACRE_TRACE": str(trace)},
            check=False,
            capture_output=True,
        )
        found = []
        for line in trace.read_text(encoding="utf-8").splitlines()[1:]:
            event = json.loads(line.rstrip(","))
            if event["ph"] == "C":
                found.append(
                    (
                        event["clock"] / 1e6,
                        event["limit"],
                        *(event["args"][part] for part, _ in PARTS),
                    )
                )
    step = max(1, len(found) // POINTS)
    return found[::step] + found[-1:]


def draw(path, rows, columns, limit_of, program, plt):
    canvas, axes = plt.subplots(
        len(rows),
        len(columns),
        figsize=(2.2 * len(columns), 1.5 * len(rows)),
        sharey=True,
        squeeze=False,
    )
    for line, workload in zip(axes, rows):
        for panel, kind in zip(line, columns):
            found = samples(program, workload, kind, limit_of(workload))
            clock, limits, *parts = zip(*found)
            shares = [[100 * size / limit for size, limit in zip(part, limits)] for part in parts]
            panel.stackplot(clock, *shares[:-1], colors=[colour for _, colour in PARTS])
            panel.set_facecolor(PARTS[-1][1])
            panel.set_ylim(0, 100)
            panel.set_xlim(0, clock[-1])
            panel.set_title(f"{workload} {kind}", fontsize=8)
            panel.tick_params(labelsize=7)
    canvas.legend(
        [plt.Rectangle((0, 0), 1, 1, color=colour) for _, colour in PARTS],
        [part for part, _ in PARTS],
        ncol=4,
        fontsize=8,
        loc="lower center",
        frameon=False,
    )
    canvas.tight_layout(rect=(0, 0.05, 1, 1))
    small_svg.save(canvas, path)
    plt.close(canvas)


def draw_all(program, smallest, stem):
    """Writes <stem>-<name>.svg; the titles by name, none without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        print("run.py: no matplotlib: the figures are left out")
        return {}
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    with plt.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "collector", "path.simplify": True}
    ):
        for name, (_, rows, columns, is_tight) in FIGURES.items():
            draw(
                pathlib.Path(f"{stem}-{name}.svg"),
                rows,
                columns,
                lambda workload, is_tight=is_tight: (
                    int(smallest[workload]["FLS"] * 1.02) if is_tight else AMPLE
                ),
                program,
                plt,
            )
    return {name: title for name, (title, *_) in FIGURES.items()}
