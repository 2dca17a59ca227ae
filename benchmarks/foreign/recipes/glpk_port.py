# SPDX-License-Identifier: MIT
"""GLPK's translator of MathProg, ported: the nine pools of a model, which are deleted together, are
its region.

The other pools of GLPK (problems, trees of subproblems) stay as they are.
"""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
POOL = os.path.join(os.path.dirname(HERE), "regions", "model_pool.h")
FILES = (POOL,)
KINDS = ("src/*.[ch]", "src/*/*.[ch]")
HEADER = "src/mpl/mpl.h"

# Where the pointers of the model's data lead.  Values of members are unions that are also on the
# stack.
ANNOTATIONS = {
    "struct SYMBOL": "str",
    "struct TUPLE": "sym next",
    "struct ELEMVAR": "var memb",
    "struct FORMULA": "var next",
    "struct ELEMCON": "con memb form",
    "struct ARRAY": "head tail prev next",
    "struct MEMBER": "tuple next",
}


def port(tree):
    shutil.copy(POOL, tree.path("src", "mpl"))
    tree.replace(HEADER, r'#include "dmp\.h"', '#include "model_pool.h"')
    tree.replace(HEADER, r"^(\s*)DMP \*(\w+);$", r"\1model_pool *\2;", 9)
    tree.replace(HEADER, r"^(\s*)(model_pool \*pool;)$", r"\1acre_region memory;\n\1\2")
    tree.replace(
        "src/mpl/mpl4.c", r"dmp_create_poolx\(size\) .*$", r"dmp_create_poolx(size) new_pool(mpl)"
    )
    tree.replace(
        "src/mpl/mpl4.c",
        r"^(\s*)(mpl->pool = dmp_create_poolx)",
        r"\1mpl->memory = acre_region_new(ACRE_HERE);\n\1\2",
    )
    tree.replace("src/mpl/mpl4.c", r"\bnew_pool\(mpl\)", "model_pool_create(mpl->memory)")
    tree.replace("src/mpl/mpl4.c", r"^\s*dmp_delete_pool\(mpl->\w+\);\n", "", 9)
    tree.replace(
        "src/mpl/mpl4.c",
        r"(?s)^(\s*)(xfree\(mpl\);)(?=\s*return;\s*\})",
        r"\1acre_region memory = mpl->memory;\1\2\1acre_region_delete(memory, ACRE_HERE);",
    )
    for name, function in (
        (HEADER, "mpl_terminate"),
        ("src/mpl/mpl4.c", "mpl_terminate"),
        ("src/api/mpl.c", "glp_mpl_free_wksp"),
        ("src/glpk.h", "glp_mpl_free_wksp"),
    ):
        tree.replace(name, rf"^(void {function}\([^)]*\))", r"\1 deletes")
    tree.replace("src/glpk.h", r"^(#include <stddef\.h>)$", r"\1\n#include <acre/annotations.h>")
    for record, fields in ANNOTATIONS.items():
        tree.annotate(HEADER, record, {"sameregion": fields})
