# SPDX-License-Identifier: MIT
"""NASM, ported: the preprocessor's tokens, lines and macros of several lines are in a region, which
lives as long as the preprocessor.

Macros of one line and texts stay malloc's.  A region of tokens alone cannot be deleted: NASM loses
blocks of %rep, with lines that lead to tokens.  No field is annotated, because the addresses of
those that could be are passed on.
"""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
TOKENS = os.path.join(os.path.dirname(HERE), "regions", "token_region.h")
FILES = (TOKENS,)
KINDS = ("asm/*.[ch]", "include/*.h")
SOURCE = "asm/preproc.c"


def port(tree):
    shutil.copy(TOKENS, tree.path("asm"))
    tree.replace(SOURCE, r"^(static bool \*use_loaded;)$", r'\1\n\n#include "token_region.h"')
    tree.replace(
        SOURCE,
        r"(?s)^#if TOKEN_BLOCKSIZE\n\nstatic Token \*freeTokens .*?"
        r"(?=^static Token \*delete_Token)",
        "",
    )
    tree.replace(SOURCE, r"(?s)^static void delete_Blocks\(void\)\n\{.*?^#else\n.*?^#endif\n", "")
    tree.replace(SOURCE, r"\bnasm_new\((ll?)\);", r"\1 = alloc_Line();", 10)
    tree.replace(SOURCE, r"\bnasm_free\(l\);", "delete_Line(l);", 3)
    tree.replace(SOURCE, r"\bnasm_new\((defining|def)\);", r"\1 = ralloc(token_region, MMacro);", 3)
    # That of a debugger's description of a macro.
    tree.replace(
        SOURCE,
        r"\bdef = ralloc\(token_region, MMacro\);(?=\n\s*def->name)",
        "nasm_new(def);",
    )
    tree.replace(SOURCE, r"^\s*nasm_free\(def\);\n(?=\s*goto done;)", "")
    tree.replace(SOURCE, r"^    nasm_free\(m\);\n", "")
    tree.replace(SOURCE, r"^(void pp_init\([^)]*\)\n\{\n)", r"\1    token_region = newregion();\n")
    for name in (SOURCE, "include/nasm.h"):
        tree.replace(name, r"^(void pp_(?:init|cleanup_session)\([^)]*\))", r"\1 deletes", 2)
    tree.replace("asm/nasm.c", r"^(static void preproc_init\([^)]*\))", r"\1 deletes")
    tree.replace(
        "include/nasm.h", r'^(#include "compiler\.h")', r"#include <acre/annotations.h>\n\1"
    )
