# SPDX-License-Identifier: MIT
"""HTML Tidy, ported: a document and all that its allocator gives is in one region, which is deleted
with it."""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY = os.path.join(os.path.dirname(HERE), "regions", "document_memory.h")
FILES = (MEMORY,)
KINDS = ("src/*.[ch]", "console/*.c", "include/*.h")

# Not what leads to tables of the program as well, and not the list of a node's attributes, whose
# address is passed on.
ANNOTATIONS = {
    "struct _Node": "parent prev next content last",
    "struct _AttVal": "next asp php",
    "struct _StyleProp": "next",
    "struct _Lexer": "token itoken root parent inode insert istack styles",
}


def port(tree):
    shutil.copy(MEMORY, tree.path("src"))
    tree.replace(
        "include/tidy.h",
        r"^(\s*const TidyAllocatorVtbl \*vtbl;.*)$",
        r"\1\n    acre_region memory;",
    )
    tree.replace("include/tidy.h", r'^(#include "tidyplatform\.h")', r"#include <acre/acre.h>\n\1")
    port_macros(tree)
    tree.replace(
        "src/tmbstr.c", r"\bTidyAlloc\( allocator, 1\+len \)", "document_text(allocator, 1+len)", 2
    )
    # The one array of records that grows.
    tree.replace(
        "src/istack.c",
        r"(?s)TidyDocRealloc\(doc, lexer->istack,\s*sizeof\(IStack\)\*\(lexer->istacklength\)\)",
        "rarrayextend(doc->allocator->memory, lexer->istack, lexer->istacklength, IStack)",
    )
    tree.replace(
        "src/tidylib.c",
        r"^(\s*)(TidyDocImpl\* doc = \(TidyDocImpl\*\)TidyAlloc\( allocator)",
        r"\1allocator = new_document_memory(allocator);\n\1\2",
    )
    tree.replace(
        "src/tidylib.c",
        r"\bTidyDocFree\( doc, doc \);",
        "deleteregion(doc->allocator->memory);",
    )
    tree.replace("src/tidylib.c", r"(\btidyDocRelease\( TidyDocImpl\* doc \))", r"\1 deletes")
    tree.replace("src/tidylib.c", r"^(static void\s+tidyDocRelease\([^;{]*\));", r"\1 deletes;")
    tree.replace("src/tidylib.c", r"(\btidyRelease\( TidyDoc tdoc \))", r"\1 deletes")
    tree.replace("include/tidy.h", r"(\btidyRelease\(TidyDoc tdoc\));", r"\1 deletes;")
    for record, fields in ANNOTATIONS.items():
        tree.annotate("src/lexer.h", record, {"sameregion": fields})
    # The texts of these records, whose type hides the star.
    tree.replace(
        "src/lexer.h", r"(\btmbstr +)(?=(?:element|attribute|value|name);)", r"\1sameregion ", 6
    )
    tree.annotations += 6


def port_macros(tree):
    name = "src/forward.h"
    tree.replace(
        name,
        r"^(#define TidyAlloc\(allocator, size\)) .*$",
        r'#include "document_memory.h"\n\1 document_alloc((allocator), (size), type_of(size))',
    )
    tree.replace(name, r"\btype_of\(size\)", "ACRE_TYPE_OF_SIZE(size)")
    tree.replace(
        name,
        r"^(#define TidyRealloc\(allocator, block, size\)) .*$",
        r"\1 document_realloc((allocator), (block), (size))",
    )
    tree.replace(
        name,
        r"^(#define TidyFree\(allocator, block\)) .*$",
        r"\1 document_free((allocator), (block))",
    )
