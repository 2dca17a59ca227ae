# SPDX-License-Identifier: MIT
"""lp_solve, linear programs: sparse matrices in arrays that grow, bases for each step."""

import random

import loads

PACKAGE = "lp-solve"
BINARY = "solve"
ARGUMENTS = ("-S4", "plan.lp")
BESIDE = """lp_MDO.c shared/commonlib.c shared/mmio.c shared/myblas.c ini.c
 bfp/bfp_LUSOL/lp_LUSOL.c bfp/bfp_LUSOL/LUSOL/lusol.c lp_rlp.c"""
NAMES = """crash Hash lib matrix mipbb MPS params presolve price pricePSE report scale simplex SOS
 utils wlp"""


def build(tree):
    names = [f"lp_{name}.c" for name in NAMES.split()] + BESIDE.split()
    names += ["colamd/colamd.c", "yacc_read.c", "lp_solve/lp_solve.c"]
    sources = [tree.path(name) for name in names]
    includes = [f"-I{tree.path(name)}" for name in (".", "shared", "bfp", "bfp/bfp_LUSOL")]
    includes += [f"-I{tree.path(name)}" for name in ("bfp/bfp_LUSOL/LUSOL", "colamd")]
    flags = ["-O2", "-w", *includes, "-DYY_NEVER_INTERACTIVE", "-DPARSER_LP"]
    flags += ["-DRoleIsExternalInvEngine", "-DINVERSE_ACTIVE=INVERSE_LUSOL", "-DINLINE=static"]
    tree.compile(flags, sources, tree.path(BINARY), ["-lm", "-ldl"])


def plan(rows, columns):
    choose = random.Random(9)
    yield "max: " + " + ".join(f"{choose.randint(1, 40)} x{c}" for c in range(columns)) + ";"
    for _ in range(rows):
        used = choose.sample(range(columns), 9)
        terms = " + ".join(f"{choose.randint(1, 30)} x{c}" for c in used)
        yield f"{terms} <= {choose.randint(100, 900)};"
    yield "int " + ",".join(f"x{c}" for c in range(0, columns, 400)) + ";"


def prepare(directory):
    loads.write(directory, "plan.lp", plan(900, 1200))
