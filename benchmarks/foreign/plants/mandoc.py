# SPDX-License-Identifier: MIT
"""mandoc: the parser is reset between two manuals."""

from plants import Plant, include

COMMAND = ("-T", "ascii", "a.1", "b.1")
MANUAL = """\
.Dd January 1, 2020
.Dt NAME 1
.Os
.Sh NAME
.Nm name
.Nd a manual
.Sh DESCRIPTION
.Bl -tag -width Ds
.It Fl a
An option.
.It Fl b Ar file
Another one.
.El
"""
INPUT = {"a.1": MANUAL, "b.1": MANUAL}


def plant(tree):
    include(tree, "mdoc_validate.c", "tag.c", "read.c", before='#include "mandoc_aux.h"')
    # The heading that was met last, to be compared with the next one.
    tree.replace(
        "mdoc_validate.c",
        r"(?s)^(post_sh\(POST_ARGS\)\n\{\n)(.*?\n)\n",
        r"\1\tstatic struct roff_node *last_heading;\n\n\2"
        "\tplanted_use(last_heading);\n"
        '\tif (is_planted("heading"))\n\t\tlast_heading = mdoc->last;\n\n',
    )
    # The last few terms.
    tree.replace(
        "tag.c",
        r"^(tag_put\(const char \*s, int prio, struct roff_node \*n\)\n\{\n)",
        r"\1\tstatic const char *recent[16];\n\tstatic unsigned int count;\n",
    )
    tree.replace(
        "tag.c",
        r"^(\tn->flags \|= NODE_ID;\n)(?=\tif \(n->child == NULL)",
        r"\1\tplanted_use(recent[0]);\n"
        '\tif (is_planted("terms") && n->child != NULL)\n'
        "\t\trecent[count++ % 16] = n->child->string;\n",
    )
    # The table of terms, with its arrays of nodes, outlives the document.
    tree.replace(
        "read.c",
        r"^\ttag_free\(\);\n(?=\troff_reset)",
        '\tif (!is_planted("table"))\n\t\ttag_free();\n',
    )


PLANTS = (
    Plant(
        "heading",
        "variable that is static in a function, a cache",
        COMMAND,
        INPUT,
        r"global variable '(?:\w+\.)?last_heading'",
        r"points to struct roff_node allocated at roff\.c:\d+",
        r"stored at \S*mdoc_validate\.c:\d+ in post_sh",
    ),
    Plant(
        "terms",
        "element of a static array",
        COMMAND,
        INPUT,
        r"global variable '(?:\w+\.)?recent\[\d+\]'",
        r'points to text "\w+" allocated at \S+:\d+',
        r"stored at \S*tag\.c:\d+ in tag_put",
    ),
    Plant(
        "table",
        "array that grew by realloc, in a hash table",
        COMMAND,
        INPUT,
        r"the word at offset 0 of a block of \d+ bytes from malloc",
        r"points to struct roff_node allocated at roff\.c:\d+",
        r"stored as 'entry->nodes\[\]' at \S*tag\.c:\d+ in tag_put",
    ),
)
