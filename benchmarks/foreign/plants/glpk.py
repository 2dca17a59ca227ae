# SPDX-License-Identifier: MIT
"""GLPK: the workspace of the translator is freed after the problem was built."""

from plants import Plant, include

COMMAND = ("--math", "model.mod", "--check", "--wlp", "out")
INPUT = {
    "model.mod": """\
set ITEMS := 1..3;
param label {i in ITEMS}, symbolic := 'item' & i;
var x {ITEMS} >= 0;
minimize total: sum {i in ITEMS} x[i];
s.t. least {i in ITEMS}: x[i] >= i;
display label;
end;
"""
}
SOURCE = "src/mpl/mpl3.c"


def plant(tree):
    include(tree, SOURCE, before='#include "mpl.h"')
    # What was displayed last, copied by assignment.
    tree.replace(
        SOURCE,
        r"^(?=static void display_par\()",
        "static struct shown { int type; VALUE value; } last_shown;\n\n",
    )
    tree.replace(
        SOURCE,
        r"^(         case A_SYMBOLIC:\n)"
        r"(            write_text\(mpl, \"%s%s = %s\\n\", par->name,)",
        r"\1            planted_use(&last_shown);\n"
        '            if (is_planted("shown"))\n'
        "            {  struct shown now = { A_SYMBOLIC, memb->value };\n"
        "               last_shown = now;\n            }\n"
        r"\2",
    )
    # What a function with a variable number of arguments was called with.
    tree.replace(
        SOURCE,
        r"^(?=ELEMVAR \*take_member_var )",
        "static _Thread_local void *noted[4];\n\n"
        "static __attribute__((noinline)) void note(int count, ...)\n"
        "{     va_list list;\n      va_start(list, count);\n"
        "      for (int i = 0; i < count; i++)\n         noted[i] = va_arg(list, void *);\n"
        "      va_end(list);\n      planted_use(noted);\n}\n\n",
    )
    tree.replace(
        SOURCE,
        r"^(         refer->j = 0;\n)(?=         refer->var = var;)",
        r'\1         if (is_planted("noted"))\n            note(2, tuple, refer);\n',
    )
    # A tree of the library's own, with nodes from a pool that is no region.
    tree.replace(
        SOURCE,
        r"^(?=MEMBER \*add_member\n)",
        "static int compare_members(void *info, const void *x, const void *y)\n"
        "{     (void)info;\n      return x < y ? -1 : x > y;\n}\n\n"
        "static AVL *known_members;\n\n",
    )
    tree.replace(
        SOURCE,
        r"^(      array->tail = memb;\n)(?=      /\* if the search tree exists)",
        r'\1      if (is_planted("members"))\n      {  if (known_members == NULL)\n'
        "            known_members = avl_create_tree(compare_members, NULL);\n"
        "         avl_insert_node(known_members, memb);\n      }\n",
    )


PLANTS = (
    Plant(
        "shown",
        "member of a union in a structure, copied by assignment",
        COMMAND,
        INPUT,
        r"global variable 'last_shown\.value\.sym'",
        r"points to (?:struct )?SYMBOL allocated at \S+:\d+",
        r"stored at \S*mpl3\.c:\d+ in display_par",
    ),
    Plant(
        "noted",
        "array of a thread, filled by va_arg",
        COMMAND,
        INPUT,
        r"thread-local variable 'noted\[1\]'",
        r"points to (?:struct )?ELEMVAR allocated at \S+:\d+",
        r"stored at \S*mpl3\.c:\d+ in note",
    ),
    Plant(
        "members",
        "node of a tree, in a pool that malloc gave",
        COMMAND,
        INPUT,
        r"the word at offset \d+ of a block of \d+ bytes from malloc",
        r"points to (?:struct )?MEMBER allocated at \S+:\d+",
        r"stored as '(?:node|r)->key' at \S*avl\.c:\d+ in \w*avl_insert_node",
    ),
)
