# SPDX-License-Identifier: MIT
"""GNU Bison: the states of the automaton are freed before the program ends."""

from plants import Plant, include

COMMAND = ("-Wnone", "-o", "out.c", "input.y")
INPUT = {"input.y": "%token A B\n%left B\n%%\nstart: start B start | A;\n%%\n"}


def plant(tree):
    include(tree, "src/conflicts.c", "src/state.c", before='#include "system.h"')
    # The last state with a conflict, in a structure.
    tree.replace(
        "src/conflicts.c",
        r"^(?=static void\nset_conflicts \()",
        "static struct\n{\n  int total;\n  struct { symbol *on; state *from; } last;\n} met;\n\n",
    )
    tree.replace(
        "src/conflicts.c",
        r"^(  reductions \*reds = s->reductions;\n  int nerrs = 0;\n)",
        r'\1  planted_use (&met);\n  if (is_planted ("met"))\n    met.last.from = s;\n',
    )
    # The newest state, kept for the thread by the C library.
    tree.replace(
        "src/state.c",
        r"^(?=state \*\nstate_new \()",
        "static void\nkeep_newest (state *s)\n{\n  static pthread_key_t newest;\n"
        "  static bool is_made;\n  if (!is_made)\n    pthread_key_create (&newest, NULL);\n"
        "  is_made = true;\n  pthread_setspecific (newest, s);\n}\n\n",
    )
    tree.replace(
        "src/state.c",
        r"(?s)^(state_new \(.*?)(\n  state_hash_insert \(res\);)",
        r'\1\n  if (is_planted ("newest"))\n    keep_newest (res);\2',
    )


PLANTS = (
    Plant(
        "met",
        "member of a member of a static structure",
        COMMAND,
        INPUT,
        r"global variable 'met\.last\.from'",
        r"points to (?:struct )?state allocated at \S*state\.c:\d+",
        r"stored at \S*conflicts\.c:\d+ in \w+",
    ),
    Plant(
        "newest",
        "data of a thread that the C library keeps",
        COMMAND,
        INPUT,
        r"pthread_setspecific",
        r"points to (?:struct )?state allocated at \S*state\.c:\d+",
        r"stored .*at \S*state\.c:\d+ in keep_newest",
    ),
)
