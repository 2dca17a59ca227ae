# SPDX-License-Identifier: MIT
"""GNU m4, ported: what is collected for the call of a macro, its arguments and the table of them,
is in a region, which is deleted when the call has been expanded.

Calls nest, so do the regions in time. Texts grow on obstacks as before, and are copied when they
are complete.  The stack of input stays an obstack.
"""

FILES = ()
KINDS = ("src/*.[chy]",)
SOURCE = "src/macro.c"


def port(tree):
    tree.replace("src/m4.h", r'^(#include "obstack\.h")', r"\1\n#include <acre/acre.h>")
    tree.replace("src/m4.h", r"^(extern void expand_input \(void\));", r"\1 deletes;")
    tree.replace("src/m4.c", r"^(process_file \([^)]*\))", r"\1 deletes")
    for function, count in (("expand_macro", 2), ("expand_token", 2), ("expand_input", 1)):
        tree.replace(
            SOURCE, rf"^((?:static void )?{function} \([^)]*\))(?=;|\n\{{)", r"\1 deletes", count
        )
    # What the evaluator has read stays named by its globals after the call.
    tree.replace(
        "src/eval.c", r"^(  return err != NO_ERROR;)$", r"  eval_text = last_text = NULL;\n\1"
    )
    port_arguments(tree)
    port_call(tree)


def port_arguments(tree):
    tree.replace(
        SOURCE,
        r"^expand_argument \(struct obstack \*obs, token_data \*argp\)",
        "expand_argument (struct obstack *obs, region memory, token_data *argp) deletes",
    )
    tree.replace(
        SOURCE,
        r"^(\s*text = )\(char \*\) (obstack_finish \(obs\));",
        r"\1\2;\n              argument = rstrdup (memory, text);\n"
        r"              obstack_free (obs, text);\n              text = argument;",
    )
    tree.replace(SOURCE, r"^(  char \*text;\n)(?=  int paren_level;)", r"\1  char *argument;\n")
    tree.replace(
        SOURCE,
        r"^collect_arguments \(symbol \*sym, struct obstack \*argptr,\s*"
        r"struct obstack \*arguments\)",
        "collect_arguments (symbol *sym, region memory, int *argc,\n"
        "                   struct obstack *arguments) deletes",
    )
    tree.replace(
        SOURCE,
        r"(?s)tdp = \(token_data \*\) obstack_copy \(arguments, &td, sizeof td\);\s*"
        r"obstack_ptr_grow \(argptr, tdp\);",
        "argv = add_argument (argv, argc, memory, &td);",
        2,
    )
    tree.replace(SOURCE, r"^  token_data \*tdp;$", "  token_data **argv = NULL;")
    tree.replace(
        SOURCE,
        r"^static void\n(?=collect_arguments)",
        "static token_data **\n"
        "add_argument (token_data **argv, int *argc, region memory, token_data *td)\n{\n"
        "  argv = rarrayextend (memory, argv, *argc + 1, token_data *);\n"
        "  argv[(*argc)++] = rarraycopy (memory, td, 1, token_data);\n"
        "  return argv;\n}\n\nstatic token_data **\n",
    )
    tree.replace(
        SOURCE, r"\bexpand_argument \(arguments, &td\)", "expand_argument (arguments, memory, &td)"
    )
    tree.replace(
        SOURCE, r"(?s)(\n      while \(more_args\);\n    \}\n)(\})", r"\1  return argv;\n\2"
    )


def port_call(tree):
    tree.replace(SOURCE, r"^  unsigned argv_base;.*$", "  region memory = newregion ();")
    tree.replace(SOURCE, r"^  int argc;$", "  int argc = 0;")
    tree.replace(SOURCE, r"^  argv_base = .*\n", "")
    tree.replace(
        SOURCE,
        r"(?s)^  collect_arguments \(sym, &argv_stack,\s*",
        "  argv = collect_arguments (sym, memory, &argc,\n                     ",
    )
    tree.replace(SOURCE, r"(?s)^  argc = \(\(obstack_object_size.*?\+ argv_base\);\n", "")
    tree.replace(
        SOURCE,
        r"(?s)^  if \(use_argc_stack\)\s*obstack_free \(&argc_stack, argv\[0\]\);\s*else\s*"
        r"(obstack_free \(&arguments, NULL\);\n).*?;\n",
        r"  if (!use_argc_stack)\n    \1  deleteregion (memory);\n",
    )
    tree.replace(SOURCE, r"^  obstack_(?:init|free) \(&argv_stack.*\n", "", 2)
    tree.replace(SOURCE, r"^static struct obstack argv_stack;\n", "")
