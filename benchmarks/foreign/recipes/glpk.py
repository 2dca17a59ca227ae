# SPDX-License-Identifier: MIT
"""GLPK, a solver of linear programs and translator of the modelling language MathProg: typed pools
of equal objects."""

import glob
import hashlib
import os

from toolchain import run_program

PACKAGE = "glpk"
PORT = "glpk_port"
MEMORY = (
    "pools of atoms (dmp), deleted with a model, a problem or a tree of subproblems; arrays from"
    " malloc"
)
FILES = ("src/*.[ch]", "src/*/*.[ch]")
BINARY = "examples/glpsol"
SETTINGS = ()
RUNS = {
    "small": ("--math", "small.mod", "--check", "--wlp", "out"),
    "default": ("--math", "default.mod", "--check", "--wlp", "out"),
}
OUTPUTS = ("out",)
MODEL = """\
set PLANTS := 1..COUNT;
set MARKETS := 1..(COUNT + 10);
set ARCS := setof {i in PLANTS, j in MARKETS: (i * 7 + j * 3) mod 4 <> 0} (i, j);
set NEAR {i in PLANTS} := setof {(i, j) in ARCS: abs(i - j) < 12} j;
param capacity {i in PLANTS} := 300 + (i * 37) mod 101;
param demand {j in MARKETS} := 100 + (j * 53) mod 71;
param label {i in PLANTS, j in NEAR[i]}, symbolic := 'arc-' & i & '-' & j;
param cost {(i, j) in ARCS} := if j in NEAR[i] then 2 + abs(i - j) / 7 else 5 + (i + j) mod 9;
var ship {(i, j) in ARCS} >= 0;
var open {PLANTS} binary;
minimize total: sum {(i, j) in ARCS} cost[i, j] * ship[i, j] + sum {i in PLANTS} 50 * open[i];
s.t. supply {i in PLANTS}: sum {(i, j) in ARCS} ship[i, j] <= capacity[i] * open[i];
s.t. need {j in MARKETS}: sum {(i, j) in ARCS} ship[i, j] >= demand[j];
s.t. close {i in PLANTS, j in NEAR[i]: length(label[i, j]) > 3}: ship[i, j] <= 90;
end;
"""


def write_loads(directory):
    for key, count in (("small", "40"), ("default", "220")):
        with open(os.path.join(directory, key + ".mod"), "w", encoding="ascii") as file:
            file.write(MODEL.replace("COUNT", count))


def build(tree, flags):
    tree.keep_generated("config.h.in")
    text = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={text}"),
        *("--disable-shared", "--disable-dependency-tracking"),
        *(("AR=llvm-ar-22", "RANLIB=llvm-ranlib-22") if "-flto" in flags else ()),
    )
    tree.make()


def check(tree):
    """Each of its example models, translated: the messages and the program that it stands for, as a
    digest."""
    said, made = {}, tree.path("checked")  # glpsol removes what it is to write: never name a device
    for path in sorted(glob.glob(tree.path("examples", "*.mod"))):
        name = os.path.basename(path)
        status, output, _ = run_program(
            [tree.path(BINARY), "-m", name, "--check", "--wlp", "../checked"],
            cwd=os.path.dirname(path),
        )
        if os.path.exists(made):
            with open(made, "rb") as file:
                output += file.read()
            os.remove(made)
        digest = hashlib.sha256(output).hexdigest()[:12]
        said[name] = f"ok {status} {digest}"
    return said
