# SPDX-License-Identifier: MIT
"""Ports sparse, the semantic checker of C (a Debian source package), to counted regions.

What sparse never frees, or frees in one go, is put in regions: allocate.h.  Every mode of memory.h
is built of the same ported source, and one more, MEMORY_BLOBS, in which sparse's own allocators
stay.
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import patch  # noqa: E402
from sparse_fields import ANNOTATIONS  # noqa: E402

PACKAGE = "sparse"
# Our allocate.h and allocate.c stand for sparse's, which remain as these.
RENAMED = {"allocate.h": "blobs.h", "allocate.c": "blobs.c"}
TOOLS = ("sparse", "test-linearize", "test-parsing", "test-show-type")  # what its test-suite runs
MEMORY = os.path.join(ROOT, "benchmarks", "programs", "memory")
# sparse says that it is the version of gcc that it was compiled with; glibc's headers want one that
# has _Float32.
ARGUMENTS = (
    "-U__GNUC__",
    "-D__GNUC__=12",
    '-DGCC_BASE=""',
    '-DMULTIARCH_TRIPLET=""',
    "-fmax-warnings=unlimited",
)

# Functions whose new object belongs to another, of which they know the region: file, function, that
# object, kind.
BESIDE = (
    ("ptrlist.c", "split_ptr_list_head", "head", "ptr_list"),
    ("ptrlist.c", "copy_ptr_list", "tail", "ptr_list"),
    ("linearize.h", "alloc_pseudo_user", "insn", "pseudo_user"),
    ("linearize.c", "alloc_basic_block", "ep", "basic_block"),
    ("linearize.c", "alloc_pseudo", "def", "pseudo"),
    ("linearize.c", "argument_pseudo", "ep", "pseudo"),
    ("linearize.c", "alloc_phisrc", "insn", "pseudo"),
    ("inline.c", "dup_expression", "expr", "expression"),
    ("inline.c", "dup_statement", "stmt", "statement"),
)
# Functions whose results are in a known place: where they are declared and defined, record, name,
# where.
RESULTS = (
    (("token.h", "tokenize.c"), "ident", "hash_ident", "traditional"),
    (("token.h", "tokenize.c"), "ident", "built_in_ident", "traditional"),
    (("symbol.h", "symbol.c"), "symbol", "alloc_symbol", "inregion(unit_region)"),
    (("expression.h", "parse.c"), "statement", "alloc_statement", "inregion(unit_region)"),
    (("linearize.h", "linearize.c"), "instruction", "alloc_phi_node", "inregion(unit_region)"),
)
ALLOCATION = {
    "ptr_list": r"__alloc_ptrlist\(0\)",
    "pseudo_user": r"__alloc_pseudo_user\(0\)",
    "basic_block": r"__alloc_basic_block\(0\)",
    "pseudo": r"__alloc_pseudo\(0\)",
    "expression": r"alloc_expression\([^;]*\)",
    "statement": r"alloc_statement\([^;]*\)",
}


def port_allocation(tree):
    """The allocators: regions that begin and end where sparse's do, lists that grow where they
    are."""
    for name, renamed in RENAMED.items():
        tree.supplant(name, os.path.join(HERE, name), renamed)
    tree.replace("blobs.c", r'"allocate\.h"', '"blobs.h"')
    tree.replace("blobs.h", r"\bALLOCATE_H\b", "BLOBS_H", 2)
    tree.replace("ptrlist.h", r"^(#include <stdbool\.h>)$", r'\1\n#include "allocate.h"')
    for name, function, object_, kind in BESIDE:
        tree.replace(
            name,
            rf"(?s)(\b{function}\([^;{{]*\{{(?:(?!^\}}).)*?)\b{ALLOCATION[kind]}",
            rf"\1alloc_beside({object_}, {kind})",
        )
    tree.replace(
        "ptrlist.c",
        r"(?s)(\b__add_ptr_list\([^;{]*\{.*?)\b__alloc_ptrlist\(0\)",
        r"\1list ? alloc_beside(list, ptr_list) : __alloc_ptrlist(0)",
    )
    tree.replace(
        "inline.c",
        r"\balloc_statement\((?=(expr|stmt)->pos, STMT_COMPOUND\))",
        r"alloc_statement_beside(\1, ",
        3,
    )
    tree.replace(
        "ptrmap.c", r"__alloc_ptrmap\(0\)", "head ? alloc_beside(head, ptrmap) : __alloc_ptrmap(0)"
    )
    tree.replace("lib.c", r"^(\s*)protect_token_alloc\(\);$", r"\1end_predefinition();")
    tree.replace("lib.c", r"^(\s*)new_file_scope\(\);$", r"\1start_unit();\n\1new_file_scope();")
    tree.replace(
        "lib.c", r'^(\s*)(base_filename = "command-line";)$', r"\1start_allocating();\n\1\2"
    )
    tree.replace("pre-process.c", r"(char \*m = )malloc(?=\()", r"\1alloc_permanent_bytes")
    tree.replace("pre-process.c", r"(\*streamname = )xmemdup\b", r"\1permanent_bytes")
    # The text of a number is not needed when its token is gone.
    tree.replace("tokenize.c", r"(\btoken->number = )xmemdup\(", r"\1token_bytes(")
    tree.replace(
        "pre-process.c", r"(->number = )xstrdup\((\w+)\)", r"\1token_bytes(\2, strlen(\2) + 1)", 2
    )
    # Made for every file: those of the first stay.
    tree.replace(
        "pre-process.c",
        r"(?s)(\bcreate_arglist\([^{]*\{[^}]*?if \()(!count)\)",
        r"\1\2 || sym->arglist)",
    )
    tree.replace("parse.c", r"^static (?=struct token bad_token\b)", "")
    default_initializer = r"(?s)(\bdefault_initializer\([^;{]*\{(?:(?!^\}).)*?)"
    tree.replace(
        "expand.c",
        default_initializer + r"static struct expression value;",
        r"\1struct expression *value = alloc_expression(sym->pos, 0);",
    )
    for _ in range(3):
        tree.replace("expand.c", default_initializer + r"\bvalue\.", r"\1value->")
    tree.replace("expand.c", default_initializer + r"&value;", r"\1value;")
    tree.replace(
        "ssa.c",
        r"^(\s*)(remove_dead_stores\(stores\);)$",
        r"\1\2\n\1stores = phis_all = phis_used = NULL;",
    )
    tree.replace(
        "linearize.c",
        r"static struct pseudo_list \*prev\[\w+\];",
        "struct pseudo_list **prev = value_pseudos;",
    )
    tree.replace(
        "liveness.c",
        r"^static struct pseudo_list \*dead_list;$",
        "#define dead_list (*dying_pseudos)",
    )
    tree.replace(
        "flowgraph.c",
        r"\bcalloc\(size, sizeof\(\*doms\)\)",
        "alloc_array_beside(ep, size, struct basic_block *)",
    )
    tree.replace("flowgraph.c", r"\bfree\(doms\);", "free_array_beside(doms);")
    # A name's symbols are those of the unit.
    tree.replace(
        "token.h", r"\bstruct symbol \*symbols;(?=\s*/\* Pointer to semantic)", "unsigned int nr;"
    )
    tree.replace("tokenize.c", r"\bident->symbols = NULL;", "ident->nr = 0;")
    tree.replace("symbol.c", r"\bident->symbols(?=; sym;)", "first_symbols[ident->nr]")
    tree.replace(
        "symbol.c",
        r"^(\s*)(sym->next_id = )ident->symbols;\n\s*ident->symbols = sym;$",
        r"\1struct symbol **first = symbol_slot(ident);\n\1\2*first;\n\1*first = sym;",
    )
    for name in ("scope.c", "graph.c"):
        tree.replace(name, r"\b((?:\w+->)+ident)->symbols\b", r"first_symbols[\1->nr]")
    tree.replace(
        "tokenize.c",
        r"\btoken->next = NULL;(?=\n\s*\*stream->tokenlist = token;$)",
        "end_at(token);",
    )
    tree.replace("symbol.c", r"^static (struct symbol_list \*restr, \*fouled;)$", r"\1")
    tree.replace("sparse.c", r"^(\s*)report_stats\(\);$", r"\1end_unit();\n\1report_stats();")


def declare_deletes(tree):
    """Functions that end the file before."""
    for name in ("lib.c", "lib.h"):
        for function in ("sparse_keep_tokens", "__sparse", "sparse", "sparse_initialize"):
            tree.replace(
                name,
                rf"(\bstruct symbol_list \*\s*{function}\([^;{{]*\))(?=\s*[;{{])",
                r"\1 deletes",
            )
    for name in ("dissect.c", "dissect.h"):
        tree.replace(name, r"(\bvoid dissect\([^;{]*\))(?=\s*[;{])", r"\1 deletes")


def annotate(tree):
    for (name, record), rules in ANNOTATIONS.items():
        tree.annotate(name, record, rules)
    # Variables and parameters through which annotated fields are reached.
    tree.annotate_variable("parse.c", r"struct ident \*", r"\*p", "traditional")
    tree.annotate_variable("parse.c", r"struct ident \*", r"\*n", "traditional")
    tree.annotate_variable(
        "parse.c", r"\bexternal_declaration\([^;{]*\{\s*struct ident \*", "ident", "traditional"
    )
    tree.annotate_variable("tokenize.c", r"struct ident \*", r"\*p", "traditional")
    tree.annotate_variable("tokenize.c", r"static struct ident \*", "hash_table", "traditional")
    # Where results of functions point that other files call.
    for names, record, function, word in RESULTS:
        for name in names:
            tree.annotate_variable(name, rf"struct {record} \*\s*", rf"{function}(?=\()", word)


def port(source, directory):
    """Makes the ported tree of an unpacked source package."""
    tree = patch.Tree(source, directory)
    port_allocation(tree)
    declare_deletes(tree)
    annotate(tree)
    write_version(directory)
    return tree


def write_version(directory):
    """What sparse's Makefile makes."""
    with open(os.path.join(directory, "version.h"), "w", encoding="utf-8") as file:
        file.write('#define SPARSE_VERSION "0"\n')


def library_sources(directory, is_blobs=False):
    """The files of the library.  is_blobs: those of an untouched tree, or of MEMORY_BLOBS."""
    with open(os.path.join(directory, "Makefile"), encoding="utf-8") as file:
        names = re.findall(r"^LIB_OBJS \+= (\S+)\.o$", file.read(), re.M)
    names = [name.replace("$(OS)", "linux") for name in names]
    if not is_blobs:
        names.remove("stats")
    elif os.path.exists(os.path.join(directory, "blobs.c")):
        names.append("blobs")
    files = [os.path.join(directory, name + ".c") for name in names]
    return files if is_blobs else [*files, os.path.join(MEMORY, "memory.c")]


def flags(directory):
    """What every mode is compiled with, but for its own options.  The warnings of sparse's own code
    are not ours.

    Null if there is no gcc, whose own headers sparse reads.
    """
    if not shutil.which("gcc"):
        return None
    headers = subprocess.run(
        ["gcc", "-print-file-name="], capture_output=True, text=True, check=True
    ).stdout.strip()
    return [
        "-std=gnu17",
        "-fno-strict-aliasing",
        "-w",
        f'-DGCC_BASE="{headers}"',
        '-DMULTIARCH_TRIPLET="x86_64-linux-gnu"',
        f"-I{directory}",
        f"-I{MEMORY}",
    ]


def checked_sources(directory):
    """Files of an unpacked sparse in which sparse finds no error: after one it says less of
    those that follow."""
    with open(os.path.join(directory, "Makefile"), encoding="utf-8") as file:
        names = re.findall(r"^LIB_OBJS \+= ([\w-]+)\.o$", file.read(), re.M)
    return [os.path.join(directory, name + ".c") for name in sorted({*names, *TOOLS} - {"version"})]
