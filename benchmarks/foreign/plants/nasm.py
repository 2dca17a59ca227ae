# SPDX-License-Identifier: MIT
"""NASM: the preprocessor's region is deleted when the session ends."""

from plants import Plant, include

COMMAND = ("-f", "elf64", "-o", "out", "input.asm")
INPUT = {
    "input.asm": """\
%define size 8
%macro clear 1
    xor %1, %1
%endmacro
section .text
    clear rax
    mov rcx, size
"""
}
SOURCE = "asm/preproc.c"


def plant(tree):
    include(tree, SOURCE, before='#include "nctype.h"')
    # A list of what was defined where.
    tree.replace(
        SOURCE,
        r"^(?=static int do_directive\(Token \*tline, Token \*\*output\)\n\{)",
        "struct note {\n    struct note *next;\n    Token *where;\n};\n"
        "static struct note *notes;\n\n"
        "static void make_note(Token *where)\n{\n"
        "    struct note *one = nasm_malloc(sizeof *one);\n"
        "    one->next = notes;\n    one->where = where;\n    notes = one;\n}\n\n",
    )
    tree.replace(
        SOURCE,
        r"^(        define_smacro\(mname, casesense, macro_start, &tmpl\);\n)"
        r"(?=        break;\n    \}\n\n    case PP_UNDEF:)",
        '        if (is_planted("notes"))\n            make_note(macro_start);\n'
        r"\1",
    )
    # The bytes of the last macro, which have no type.
    tree.replace(
        SOURCE,
        r"^(        defining->next = \*mmhead;\n)",
        r"\1        static char last_macro[sizeof(MMacro)];\n"
        '        if (is_planted("bytes"))\n'
        "            memcpy(last_macro, defining, sizeof last_macro);\n"
        "        planted_use(last_macro);\n",
    )


PLANTS = (
    Plant(
        "notes",
        "linked list, in memory from malloc",
        COMMAND,
        INPUT,
        r"the word at offset 8 of a block of \d+ bytes from malloc",
        r"points to (?:struct )?Token allocated at \S*token_region\.h:\d+",
        r"stored as 'one->where' at \S*preproc\.c:\d+ in make_note",
    ),
    Plant(
        "bytes",
        "static array of bytes, copied by memcpy",
        COMMAND,
        INPUT,
        r"global variable '(?:\w+\.)?last_macro'",
        r"points to (?:struct )?\w+ allocated at \S+:\d+",
        r"stored (?:as 'last_macro\[\]' )?at \S*preproc\.c:\d+ in do_directive",
    ),
)
