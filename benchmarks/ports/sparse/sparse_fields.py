# SPDX-License-Identifier: MIT
"""Where the pointers of sparse's structures lead: {(file, record): {word: names of fields}}.

  sameregion   what is made of one file: expressions, statements, lists, linear code
  traditional  identifiers, which are outside all regions, and what is static
  parentptr    from tokens to the texts that outlive them

Not annotated are fields that may lead to static objects as well as to a region: symbols (the basic
types are static), pseudos (VOID is), tokens (the end of each list of tokens is); and scopes, whose
outermost is static.
"""

ANNOTATIONS = {
    ("ptrlist.h", "struct listname"): {"sameregion": "prev next"},
    ("token.h", "struct stream"): {"traditional": "protect"},
    ("token.h", "struct token"): {"traditional": "ident", "parentptr": "string"},
    ("symbol.h", "struct context"): {"sameregion": "context"},
    ("token.h", "struct ident"): {"traditional": "next"},
    ("parse.c", "struct init_keyword"): {"traditional": "op"},
    ("builtin.h", "struct builtin_fn"): {"traditional": "op"},
    ("symbol.h", "struct decl_state"): {"traditional": r"\*ident mode"},
    ("symbol.h", "struct symbol"): {
        "traditional": "ident op",
        "sameregion": "array_size ep bb_target",
    },
    ("expression.h", "struct asm_operand"): {"traditional": "name"},
    ("expression.h", "struct expression"): {
        "traditional": "symbol_name member expr_ident ident",
        "sameregion": "statement deref base fn init_expr",
    },
    ("parse.h", "struct statement"): {
        "sameregion": (
            "context iterator_syms iterator_pre_statement iterator_pre_condition iterator_statement"
            " iterator_post_statement iterator_post_condition target_list"
        ),
    },
    ("linearize.h", "struct pseudo_user"): {"sameregion": "insn userp"},
    ("linearize.h", "struct pseudo"): {"sameregion": "def", "traditional": "ident"},
    ("linearize.h", "struct asm_constraint"): {"traditional": "ident"},
    ("linearize.h", "struct asm_rules"): {"sameregion": "clobbers"},
    ("linearize.h", "struct instruction"): {"sameregion": "bb phi_node val context_expr asm_rules"},
    ("linearize.h", "struct basic_block"): {"sameregion": "ep idom"},
    ("linearize.h", "struct entrypoint"): {"sameregion": "name active entry"},
    ("ptrmap.c", "struct ptrmap"): {"sameregion": "next"},
}
