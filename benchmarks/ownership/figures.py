# SPDX-License-Identifier: MIT
"""Memory over time, as SVG; nothing without matplotlib."""

import os

import small_svg

COLOURS = {"plain": "#4c78a8", "manual": "#4c9f70", "collected": "#c05050"}
TITLES = {
    "webserver": "Web server: 4 KB pages for 6 clients (Figure 4)",
    "overlay": "Overlay: 50,000 packets of 4 KB (Figure 6)",
}


def draw_all(data, stem):
    """Writes <stem>-<program>.svg; returns their names."""
    try:
        import matplotlib
    except ImportError:
        return []
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    drawn = []
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ownership", "font.size": 9}):
        for name, title in TITLES.items():
            canvas, axes = plt.subplots(figsize=(8, 3.2))
            for version, samples in data[name]["footprint"].items():
                times = [sample["seconds"] for sample in samples]
                for what, style in (("reserved", "-"), ("data", ":")):
                    axes.plot(
                        times,
                        [max(sample[what], 1) / 1024 for sample in samples],
                        style,
                        color=COLOURS[version],
                        label=f"{version}, {what}",
                        linewidth=1,
                    )
            axes.set_yscale("log")
            axes.set_ylabel("KB")
            axes.set_xlabel("seconds")
            axes.set_title(title, fontsize=9)
            axes.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
            path = f"{stem}-{name}.svg"
            small_svg.save(canvas, path, bbox_inches="tight")
            plt.close(canvas)
            drawn.append(os.path.basename(path))
    return drawn
