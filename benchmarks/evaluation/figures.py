# SPDX-License-Identifier: MIT
"""The figures of the page, as SVG that is the same whenever the data is."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

import small_svg  # noqa: E402
import summary  # noqa: E402

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "evaluation",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
SIZE_INCHES = (9.5, 3.6)
TALLEST_RATIO = 3.0  # what is higher is cut off, with its value written on it


def draw_ratios(axes, data, columns):
    """Bars of time over norc, grouped by program, with the range of one turn as a line."""
    results = data["programs"]
    width, top = 0.84 / len(columns), 1.0
    for place, column in enumerate(columns):
        colour = plt.get_cmap("tab20")(list(data["columns"]).index(column))
        for group, result in enumerate(results.values()):
            value, ends = summary.ratio(result, column, "norc"), summary.ratio_range(
                result, column, "norc"
            )
            if value is None or ends is None:
                continue
            x, shown = group + (place - (len(columns) - 1) / 2) * width, min(value, TALLEST_RATIO)
            axes.bar(x, shown, width * 0.92, color=colour)
            axes.plot(
                [x, x], [min(end, TALLEST_RATIO) for end in ends], color="black", linewidth=0.8
            )
            top = max(top, shown, min(ends[1], TALLEST_RATIO))
            if value > TALLEST_RATIO:
                axes.text(
                    x, TALLEST_RATIO, f"{value:.1f}", rotation=90, ha="center", va="top", fontsize=7
                )
        axes.bar(0, 0, color=colour, label=column)  # for the legend, whatever was measured
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(results)), list(results))
    axes.set_ylabel("processor time, norc = 1")
    axes.legend(ncol=1, fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return top


def draw_time(axes, data):
    top = draw_ratios(
        axes, data, [column for column in data["columns"] if column not in ("nq", "qs", "nc")]
    )
    axes.set_ylim(0, top * 1.03)
    return True


def draw_annotations(axes, data):
    columns = [column for column in summary.COUNTED if column in data["columns"]]
    top = draw_ratios(axes, data, columns)
    lows = [
        summary.ratio_range(result, column, "norc")
        for result in data["programs"].values()
        for column in columns
    ]
    axes.set_ylim(min([0.95, *(ends[0] for ends in lows if ends)]) - 0.02, top + 0.03)
    return True


def draw_stores(axes, data):
    """Whether the stores of any program were counted."""
    found = {name: summary.run_time_stores(result) for name, result in data["programs"].items()}
    found = {name: stores for name, stores in found.items() if stores and sum(stores.values())}
    bottoms = [0.0] * len(found)
    kinds = (
        ("safe", "safe", "#4c9f70"),
        ("uncounted", "plain, proved", "#a8d5ba"),
        ("checked", "checked", "#e0b040"),
        ("counted", "counted", "#c05050"),
    )
    for kind, label, colour in kinds:
        shares = [100 * stores[kind] / sum(stores.values()) for stores in found.values()]
        axes.bar(list(found), shares, 0.6, bottom=bottoms, label=label, color=colour)
        bottoms = [bottom + share for bottom, share in zip(bottoms, shares)]
    axes.set_ylim(0, 100)
    axes.set_ylabel("share of executed stores, %")
    axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return bool(found)


def draw_all(data, stem):
    """Writes <stem>-<name>.svg; returns the names of those that had something to show."""
    drawn = []
    with plt.rc_context(STYLE):
        for name, draw in (
            ("time", draw_time),
            ("annotations", draw_annotations),
            ("stores", draw_stores),
        ):
            canvas, axes = plt.subplots(figsize=SIZE_INCHES)
            if draw(axes, data):
                small_svg.save(canvas, f"{stem}-{name}.svg", bbox_inches="tight")
                drawn.append(name)
            plt.close(canvas)
    return drawn
