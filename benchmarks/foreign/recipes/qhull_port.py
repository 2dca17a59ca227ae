# SPDX-License-Identifier: MIT
"""Qhull, ported: its short memory, which is freed as a whole, is a region; long memory stays
malloc's."""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY = os.path.join(os.path.dirname(HERE), "regions", "hull_memory.h")
FILES = (MEMORY,)
KINDS = ("src/libqhull_r/*.[ch]", "src/q*/*_r.c")
FOLDER = "src/libqhull_r/"

# Not the sets: large ones are in long memory.
ANNOTATIONS = {
    "libqhull_r.h": {
        "struct facetT": "normal center previous next",
        "struct ridgeT": "top bottom",
        "struct vertexT": "next previous",
    },
    "merge_r.h": {"struct mergeT": "facet1 facet2 vertex1 vertex2 ridge1 ridge2"},
}


def port(tree):
    shutil.copy(MEMORY, tree.path(FOLDER))
    port_header(tree)
    port_memory(tree)
    tree.replace(
        FOLDER + "qset_r.c", r"\bqh_memalloc_\(qh, size, freelistp, set, setT\)", "set= new_set()"
    )
    tree.replace(FOLDER + "qset_r.c", r"\(setT \*\)qh_memalloc\(qh, size\)", "new_set()")
    tree.replace(
        FOLDER + "qset_r.c",
        r"\bnew_set\(\)",
        "(setT *)qh_memalloc_kind(qh, size, HULL_SET, NULL)",
        2,
    )
    tree.replace(
        FOLDER + "qset_r.c",
        r"\bqh_memfree_?\(qh, \*setp, size(?:, freelistp)?\)",
        "qh_memfree_kind(qh, *setp, size, HULL_SET)",
        3,
    )
    for name, records in ANNOTATIONS.items():
        for record, fields in records.items():
            tree.annotate(FOLDER + name, record, {"sameregion": fields})


def port_header(tree):
    name = FOLDER + "mem_r.h"
    tree.replace(name, r"^(typedef struct qhmemT qhmemT;)$", r'#include "hull_memory.h"\n\1')
    tree.replace(name, r"^(\s*)(void   \*\*freelists;)", r"\1region memory;\n\1\2")
    # The macros that do what is quick in line know one kind of free lists.
    tree.replace(name, r"^#elif defined qh_TRACEshort$", "#elif 1", 2)
    tree.replace(
        name,
        r"\bqh_memalloc(\(qhT \*qh, int insize)\);",
        r"qh_memalloc_kind\1, enum hull_kind kind, const acre_site *site);",
    )
    tree.replace(
        name,
        r"\bqh_memfree(\(qhT \*qh, void \*object, int insize)\);",
        r"qh_memfree_kind\1, enum hull_kind kind);",
    )
    tree.replace(name, r"(\bqh_memfreeshort\([^)]*\))", r"\1 deletes")


def port_memory(tree):
    name = FOLDER + "mem_r.c"
    tree.replace(
        name,
        r"(?s)\bqh_memalloc(\(qhT \*qh, int insize)\)(?= \{\n  void \*\*freelistp)",
        r"qh_memalloc_kind\1, enum hull_kind kind, const acre_site *site)",
    )
    tree.replace(
        name,
        r"(?s)\bqh_memfree(\(qhT \*qh, void \*object, int insize)\)(?= \{\n  void \*\*freelistp)",
        r"qh_memfree_kind\1, enum hull_kind kind)",
    )
    tree.replace(
        name,
        r"(qh->qhmem\.freelists ?\+) ?idx;",
        r"\1 kind * qh->qhmem.NUMsizes + idx;",
        2,
    )
    tree.replace(
        name,
        r"(?s)^      if \(outsize > qh->qhmem\.freesize\) \{.*?freesize -= outsize;\n",
        "      object= hull_take(qh->qhmem.memory, outsize, kind, site);\n",
    )
    tree.replace(name, r"\bi < qh->qhmem\.TABLEsize", "i < HULL_KINDS * qh->qhmem.NUMsizes", 2)
    tree.replace(name, r"\bsizetable\[i\](?= \*|, count)", "sizetable[i % qh->qhmem.NUMsizes]", 2)
    tree.replace(
        name,
        r"^(\s*qh->qhmem\.freelists= )\(void \*\*\) calloc\(.*$",
        r"  qh->qhmem.memory= newregion();\n"
        r"\1rarrayalloc(qh->qhmem.memory, (size_t)numsizes * HULL_KINDS, void *);",
    )
    tree.replace(
        name,
        r"(?s)^  for \(buffer=qh->qhmem\.curbuffer;.*?\n  \}\n  qh->qhmem\.curbuffer= NULL;\n",
        "  memory= qh->qhmem.memory;\n",
    )
    tree.replace(name, r"^    qh_free\(qh->qhmem\.freelists\);\n", "")
    tree.replace(name, r"^  void \*buffer, \*nextbuffer;$", "  region memory;")
    tree.replace(
        name,
        r"^(  qh->qhmem\.ferr= ferr;\n)(?=\} /\* memfreeshort)",
        r"\1  if (memory)\n    deleteregion(memory);\n",
    )
