# SPDX-License-Identifier: MIT
"""Qhull: short memory is freed at the end of main."""

from plants import Plant, include

COMMAND = ("n", "TI", "points")
INPUT = {"points": "3\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n"}
MAIN, PLANES = "src/qhull/unix_r.c", "src/libqhull_r/geom_r.c"


def plant(tree):
    include(tree, MAIN, before='#include "libqhull_r/libqhull_r.h"')
    include(tree, PLANES)
    # A local whose address was passed on, used after the memory was freed.
    tree.replace(
        MAIN,
        r"^(?=int main\()",
        "static __attribute__((noinline)) void find_widest(qhT *qh, facetT **widest) {\n"
        "  facetT *facet;\n  FORALLfacets {\n"
        "    if (!*widest || facet->offset < (*widest)->offset)\n      *widest= facet;\n  }\n}\n\n",
    )
    tree.replace(MAIN, r"^(  qhT \*qh= &qh_qh;\n)", r"\1  facetT *widest= NULL;\n")
    tree.replace(
        MAIN,
        r"^(    exitcode= qh_ERRnone;\n)",
        r'\1    if (is_planted("widest"))\n      find_widest(qh, &widest);\n',
    )
    tree.replace(
        MAIN,
        r"^(  return exitcode;\n)(?=\} /\* main)",
        r'  if (widest)\n    printf("%u\\n", widest->id);\n\1',
    )
    # The last coordinate of the plane before: the middle of an object.
    tree.replace(
        PLANES,
        r"(?s)^(void qh_setfacetplane\(qhT \*qh, facetT \*facet\) \{\n.*?)(\n  zzinc_\()",
        r"\1  static coordT *last_coordinate;\n\2",
    )
    tree.replace(
        PLANES,
        r"(?s)(qh_memalloc_\(qh, normsize, freelistp, facet->normal, coordT\);\n)"
        r"(#ifndef qh_NOtrace\n  if \(facet == qh->tracefacet\) \{\n    oldtrace)",
        r'\1  planted_use(last_coordinate);\n  if (is_planted("coordinate"))\n'
        r"    last_coordinate= facet->normal + qh->hull_dim - 1;\n\2",
    )


PLANTS = (
    Plant(
        "widest",
        "local variable whose address was passed on",
        COMMAND,
        INPUT,
        r"local variable 'widest' of function main, .*across the call at \S*unix_r\.c:\d+",
        r"points to (?:struct )?facetT allocated at \S+:\d+",
        r"stored .*at \S*unix_r\.c:\d+ in find_widest",
    ),
    Plant(
        "coordinate",
        "static variable, into the middle of an object",
        COMMAND,
        INPUT,
        r"global variable '(?:\w+\.)?last_coordinate'",
        r"points to offset 16 of (?:array of \d+ )?double allocated at \S+:\d+",
        r"stored at \S*geom_r\.c:\d+ in qh_setfacetplane",
    ),
)
