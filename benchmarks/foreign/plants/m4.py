# SPDX-License-Identifier: MIT
"""GNU m4: the arguments of a call are deleted when it has been expanded."""

from plants import Plant, include

COMMAND = ("input.m4",)
SOURCE = "src/builtin.c"


def plant(tree):
    include(tree, SOURCE, before='#include "execute.h"')
    # A definition that is not copied.
    tree.replace(
        SOURCE,
        r'^(  char \*defn = )(xstrdup \(text \? text : ""\);)',
        r'\1is_planted ("definition") && text ? (char *) text : \2',
    )
    # What was printed, on an obstack that grows.
    tree.replace(
        SOURCE,
        r"(?s)^(m4_errprint \(.*?\n\{\n)",
        r"\1  static struct obstack printed;\n  static bool is_made;\n",
    )
    tree.replace(
        SOURCE,
        r"^(  dump_args \(obs, argc, argv, \" \", false\);\n)(?=.*\n  debug_flush_files)",
        '  if (is_planted ("printed"))\n    {\n      if (!is_made)\n'
        "        obstack_init (&printed);\n      is_made = true;\n"
        "      obstack_ptr_grow (&printed, ARG (1));\n    }\n"
        r"\1",
    )
    # What was found last, by each thread.
    tree.replace(
        SOURCE,
        r"^(  haystack = ARG \(1\);\n  result = strstr .*\n)",
        r"  static _Thread_local const char *last_found;\n  planted_use (last_found);\n"
        r'\1  if (is_planted ("found"))\n    last_found = result;\n',
    )


PLANTS = (
    Plant(
        "definition",
        "member of an entry of a hash table",
        COMMAND,
        {"input.m4": "define(`greeting', `hello world')greeting\n"},
        r"the word at offset \d+ of a block of \d+ bytes from malloc",
        r'points to text "hello world" allocated at \S*macro\.c:\d+',
        r"stored as 's->data\.u' at \S*builtin\.c:\d+ in define_user_macro",
    ),
    Plant(
        "printed",
        "obstack of pointers",
        COMMAND,
        {"input.m4": "errprint(`a message\n')done\n"},
        r"the word at offset \d+ of a block of \d+ bytes from malloc",
        r'points to text "a message\\n" allocated at \S*macro\.c:\d+',
        r"stored as '__p1->\.\.\.' at \S*builtin\.c:\d+ in m4_errprint",
    ),
    Plant(
        "found",
        "variable of a thread, into the middle of a text",
        COMMAND,
        {"input.m4": "index(`some long text', `long')\n"},
        r"thread-local variable '(?:\w+\.)?last_found'",
        r'points to offset 5 of text "some long text" allocated at \S*macro\.c:\d+',
        r"stored at \S*builtin\.c:\d+ in m4_index",
    ),
)
