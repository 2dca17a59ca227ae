# SPDX-License-Identifier: MIT
"""fig2dev, drawings to SVG: a node for each point, object and comment."""

import random

import loads

PACKAGE = "fig2dev"
BINARY = "fig2dev/fig2dev"
SCRIPT = 'for to in svg eps; do "$0" -L $to drawing.fig | grep -v Date | cksum; done'


def build(tree):
    tree.keep_generated("config.h.in")
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w", "--disable-dependency-tracking")
    tree.make("-C", "fig2dev")


def drawing(lines):
    choose = random.Random(4)
    yield "#FIG 3.2\nLandscape\nCenter\nMetric\nA4\n100.00\nSingle\n-2\n1200 2"
    for number in range(lines):
        points = [(choose.randint(0, 9000), choose.randint(0, 9000)) for _ in range(20)]
        yield f"# object {number}"
        yield f"2 1 0 1 0 7 {50 + number % 50} -1 -1 0.000 0 0 -1 0 0 {len(points)}"
        yield "\t" + " ".join(f"{x} {y}" for x, y in points)
        yield f"4 0 0 50 -1 0 12 0.0000 4 135 90 {points[0][0]} {points[0][1]} text{number}\\001"


def prepare(directory):
    loads.write(directory, "drawing.fig", drawing(15000))
