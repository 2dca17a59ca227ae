# SPDX-License-Identifier: MIT
"""mandoc, ported: the tree of a document, with its arguments, equations and texts, is in a region,
which is deleted when the parser is reset.

Tables, macros, and what is known of the document as a whole stay malloc's.
"""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
NODES = os.path.join(os.path.dirname(HERE), "regions", "document_nodes.h")
FILES = (NODES,)
KINDS = ("*.[ch]",)

ANNOTATIONS = {
    "roff.h": {
        r"struct\s+roff_node": "parent child last next prev head body tail args norm string tag eqn"
    },
    "eqn.h": {r"struct\s+eqn_box": "parent prev next first last text left right top bottom"},
}
# Functions that make or end a document, or lead there.
DELETING = {
    "roff.c": (
        ("roff_man_free1", 2),
        ("roff_man_alloc1", 2),
        ("roff_man_reset", 1),
        ("roff_man_free", 1),
        ("roff_man_alloc", 1),
    ),
    "libmandoc.h": (("roff_man_free", 1), ("roff_man_alloc", 1), ("roff_man_reset", 1)),
    "read.c": (("mparse_alloc", 1), ("mparse_reset", 1), ("mparse_free", 1)),
    "mandoc_parse.h": (("mparse_alloc", 1), ("mparse_reset", 1), ("mparse_free", 1)),
    "main.c": (("parse", 2), ("process_onefile", 2), ("mandocdb", 1)),
    "mandocdb.c": (("mpages_merge", 2), ("mandocdb", 2)),
}


def port(tree):
    shutil.copy(NODES, tree.directory)
    # What allocates nothing else than parts of a document.
    for name, count in (("eqn.c", 50), ("mdoc_argv.c", 11)):
        whole(tree, name, count)
    tree.replace("mdoc_argv.c", r"^(\s*)document_free(\(\*v\);)$", r"\1free\2")
    tree.replace(
        "mdoc_argv.c",
        r"(?s)if \(ac != ARGS_ALLOC\)(\s*)(p = )document_strdup\(p\);",
        r"\2ac == ARGS_ALLOC ?\1document_keep(p) : document_strdup(p);",
        2,
    )
    port_tree(tree)
    tree.replace(
        "mdoc.c",
        r"\bmandoc_calloc\(1, sizeof\(union mdoc_data",
        "document_calloc(1, sizeof(union mdoc_data",
        2,
    )
    port_validation(tree)
    # What roff keeps of the document goes first.
    tree.replace(
        "read.c",
        r"^(\troff_man_free\(curp->man\);\n)(\troff_free\(curp->roff\);\n)",
        r"\2\1",
    )
    for name in ("libmandoc.h", "mandoc_parse.h"):
        tree.replace(
            name, r"^(struct\s+(?:roff_man|mparse);)$", r"#include <acre/annotations.h>\n\1"
        )
    for name, functions in DELETING.items():
        for function, count in functions:
            tree.replace(
                name,
                rf"(?m)(^(?:[a-z][\w \t*]*)?\b{function}\([^;{{()]*\))(?=;|\n\{{)",
                r"\1 deletes",
                count,
            )
    for name, records in ANNOTATIONS.items():
        for record, fields in records.items():
            tree.annotate(name, record, {"sameregion": fields})


def whole(tree, name, count):
    tree.replace(
        name,
        r"\b(?:mandoc_(?=strdup|strndup|asprintf|malloc|calloc|realloc\b|reallocarray)|(?=free\())",
        "document_",
        count,
    )


def port_tree(tree):
    for name, record in (("roff.h", "roff_node"), ("eqn.h", "eqn_box"), ("mdoc.h", "mdoc_arg")):
        tree.replace(name, rf"^(struct\s+{record} \{{)$", r'#include "document_nodes.h"\n\1')
    tree.replace("roff.c", r"^(static void\nroff_man_free1)", r"settled region document;\n\n\1")
    tree.replace(
        "roff.c",
        r"(?s)\bif \(man->meta\.first != NULL\)\s*roff_node_delete\(man, man->meta\.first\);",
        "man->meta.first = man->last = man->last_es = NULL;\n\tdeleteregion(document);",
    )
    tree.replace(
        "roff.c",
        r"(\bman->meta\.first = )mandoc_calloc\(1, sizeof\(\*man->meta\.first\)\)",
        r"document = newregion();\n\t\1ralloc(document, struct roff_node)",
    )
    tree.replace(
        "roff.c",
        r"(\bn = )mandoc_calloc\(1, sizeof\(\*n\)\)",
        r"\1ralloc(document, struct roff_node)",
    )
    tree.replace(
        "roff.c", r"(\bn->string = )(roff_strdup\(man->roff, word\))", r"\1document_keep(\2)"
    )
    tree.replace("roff.c", r"\bmandoc_asprintf(?=\(&newstr)", "document_asprintf")
    tree.replace("roff.c", r"(\bn->string = )mandoc_strdup", r"\1document_strdup")
    tree.replace("roff.c", r"^\s*free\(n->string\);\n(?=\tn->string = newstr)", "")
    tree.replace(
        "roff.c", r"(?s)(^roff_node_free\(struct roff_node \*n\)\n\{\n).*?\n\}\n", r"\1}\n"
    )


def port_validation(tree):
    for name, count in (("mdoc_validate.c", 1), ("man_validate.c", 1)):
        tree.replace(name, r"\bfree(?=\(n->child->string\);)", "document_free", count)
    for name, variable in (("mdoc_validate.c", "&cp"), ("man_validate.c", "&s")):
        tree.replace(
            name,
            rf"\bmandoc_asprintf(?=\({variable}, \"[^\"]*\", n->child->string\))",
            "document_asprintf",
        )
    tree.replace("mdoc_validate.c", r"\bfree(?=\(\*arg\);)", "document_free")
    tree.replace("mdoc_validate.c", r"\bmandoc_asprintf(?=\(arg, )", "document_asprintf")
    tree.replace(
        "mdoc_validate.c", r"\bmandoc_reallocarray(?=\(argv->value)", "document_reallocarray"
    )
    tree.replace("mdoc_validate.c", r"(\bn->tag = )mandoc_strdup", r"\1document_strdup")
    tree.replace("tag.c", r"\bmandoc_(?=strn?dup\()", "document_", 3)
    tree.replace("tag.c", r"\bfree(?=\(n(?:old)?->tag\);)", "document_free", 2)
