# SPDX-License-Identifier: MIT
"""cflow: its port never deletes its region; here it does so at the end, after all that points there
was forgotten, without what is planted."""

from plants import Plant, include

COMMAND = ("input.c",)
INPUT = {"input.c": "int g(int a) { return a; }\nint main(void) { return g(1); }\n"}


def plant(tree):
    include(tree, "src/symbol.c", "src/parser.c", "src/main.c", before="#include <cflow.h>")
    tree.replace(
        "src/main.c",
        r"^(     output\(\);\n)(     return status;\n)",
        r"\1     forget_symbols();\n     forget_tokens();\n"
        r"     arglist = NULL;\n     deleteregion(program_region);\n\2",
    )
    for name in ("symbols", "tokens"):
        tree.replace("src/cflow.h", r"^(void output\(void\);\n)", rf"\1void forget_{name}(void);\n")
    append(
        tree,
        "src/symbol.c",
        "forget_symbols",
        'if (symbol_table && !is_planted("table")) {\n'
        "          hash_free(symbol_table);\n          symbol_table = NULL;\n     }\n     "
        + nullify("start_symbol_list", "target_symbol_list", "static_symbol_list")
        + nullify("auto_symbol_list", "static_func_list", "unit_local_list"),
    )
    # The stack of tokens, an array that grows.
    append(
        tree,
        "src/parser.c",
        "forget_tokens",
        'if (!is_planted("stack"))\n          free(token_stack);\n     '
        "memset(&tok, 0, sizeof(tok));\n     "
        + nullify("caller", "filename", "canonical_filename", "yylval.str"),
    )


def nullify(*names):
    return "".join(f"{name} = NULL;\n     " for name in names)


def append(tree, name, function, body):
    tree.write(name, tree.read(name) + f"\nvoid\n{function}(void)\n{{\n     {body}\n}}\n")


PLANTS = (
    Plant(
        "table",
        "hash table of a library",
        COMMAND,
        INPUT,
        r"the word at offset \d+ of a block of \d+ bytes from malloc",
        r"points to struct table_entry allocated at \S*symbol\.c:\d+",
        r"stored as '\w+->data' at \S*hash\.c:\d+ in \w+",
    ),
    Plant(
        "stack",
        "value stack of a parser",
        COMMAND,
        INPUT,
        r"the word at offset \d+ of a block of \d+ bytes from malloc",
        r'points to text "\w+" allocated at \S*obstack_region\.h:\d+',
        r"stored as 'token_stack\[\]\.token' at \S*parser\.c:\d+ in \w+",
    ),
)
