# SPDX-License-Identifier: MIT
"""Qhull, which computes convex hulls: facets, ridges, vertices and sets of them in short memory
with free lists by size."""

import glob
import hashlib
import os
import random
import re

from toolchain import run_program

PACKAGE = "qhull"
PORT = "qhull_port"
MEMORY = "facets, ridges, vertices and sets in buffers with free lists by size, freed as a whole"
FILES = ("src/libqhull_r/*.[ch]", "src/qhull/unix_r.c")
BINARY = "qhull"
SETTINGS = ()
OPTIONS = ("Fx", "n", "Fv", "TO", "out", "TI")
RUNS = {"small": ("Qx", *OPTIONS, "small.points"), "default": ("Qx", *OPTIONS, "default.points")}
OUTPUTS = ("out",)
PROGRAMS = {
    "qhull": "qhull/unix_r.c",
    "qconvex": "qconvex/qconvex_r.c",
    "qdelaunay": "qdelaunay/qdelaun_r.c",
    "qvoronoi": "qvoronoi/qvoronoi_r.c",
    "qhalf": "qhalf/qhalf_r.c",
    "rbox": "rbox/rbox_r.c",
}


def points(count, seed):
    """Points in five dimensions, near a ball: many of them are vertices."""
    choose, lines = random.Random(seed), ["5", str(count)]
    for _ in range(count):
        values = [choose.gauss(0, 1) for _ in range(5)]
        length = sum(value * value for value in values) ** 0.5 / choose.uniform(0.9, 1)
        lines.append(" ".join(f"{value / length:.6f}" for value in values))
    return "\n".join([*lines, ""])


def write_loads(directory):
    for key, count in (("small", 250), ("default", 1500)):
        with open(os.path.join(directory, key + ".points"), "w", encoding="ascii") as file:
            file.write(points(count, count))


def build(tree, flags):
    library = sorted(glob.glob(tree.path("src", "libqhull_r", "*.c")))
    flags = [*flags, "-I" + tree.path("src")]
    names = (BINARY,) if "-flto" in flags else PROGRAMS
    for name, unit in ((name, PROGRAMS[name]) for name in names):
        tree.compile(flags, [*library, tree.path("src", unit)], tree.path(name), ["-lm", *flags])


def check(tree):
    """Its examples, without those that take chance from the clock, print times or memory, or go on
    from another's output."""
    said = {}
    with open(tree.path("eg", "q_test"), encoding="utf-8") as file:
        lines = re.findall(r"(?m)^(rbox [^|#<>$\n]*\|[^|#<>$\n]*)$", file.read())
    for line in dict.fromkeys(lines):
        command = re.sub(r"\b(rbox|q(?:hull|convex|delaunay|voronoi|half))\b", r"./\1", line)
        if re.search(r" t\b|\bQR-?[01]|\b(?:TO|TI|T\w*[0-9Fsz])| s i\b", line):
            continue
        status, output, errors = run_program(["/bin/sh", "-c", command], cwd=tree.directory)
        text = re.sub(rb"(?m)^.*(?:seconds|Run-id|run-id|_run-).*$", b"", output + errors)
        said[line] = f"ok {status} {hashlib.sha256(text).hexdigest()[:12]}"
    return said
