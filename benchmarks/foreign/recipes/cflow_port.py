# SPDX-License-Identifier: MIT
"""cflow, ported: texts, symbols and lists are in one region, which lives as long as the program, as
they do in cflow."""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = os.path.join(os.path.dirname(HERE), "regions", "obstack_region.h")
FILES = (HEADER,)
KINDS = ("src/*.[chly]",)
# Not the lists of a symbol: their addresses are passed on, as those of variables are.
ANNOTATIONS = {
    "struct linked_list_entry": "next prev list",
    "struct linked_list": "head tail",
    "struct symbol": "owner next entry alias",
}


def port(tree):
    shutil.copy(HEADER, tree.path("src"))
    tree.replace("src/cflow.h", r"<obstack\.h>", '"obstack_region.h"')
    tree.replace(
        "src/main.c",
        r"^(main\(int argc, char \*\*argv\)\n\{\n)",
        r"\1program_region = newregion();\n",
    )
    tree.replace("src/main.c", r"^(#include <parser\.h>)$", r"\1\nsettled region program_region;")
    for name, variable, record, count in (
        ("linked-list.c", "list", "struct linked_list", 2),
        ("linked-list.c", "entry", "struct linked_list_entry", 2),
        ("symbol.c", "sym", "Symbol", 1),
        ("symbol.c", "tp", "struct table_entry", 1),
        ("parser.c", "refptr", "Ref", 1),
    ):
        tree.replace(
            "src/" + name,
            rf"\bxmalloc ?\(sizeof\(\*{variable}\)\)",
            f"ralloc(program_region, {record})",
            count,
        )
    for name, count in (("linked-list.c", 3), ("symbol.c", 4)):
        tree.replace(
            "src/" + name, r"\bfree\((?=(?:p|list|ent|sym|tp)\);)", "free_in_region(", count
        )
    # What the lists of references lead to is not freed one by one either.
    tree.replace("src/parser.c", r"\blinked_list_create\(free\)", "linked_list_create(NULL)")
    for record, fields in ANNOTATIONS.items():
        tree.annotate("src/cflow.h", record, {"sameregion": fields})
