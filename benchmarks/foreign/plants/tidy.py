# SPDX-License-Identifier: MIT
"""HTML Tidy: the document is released at the end."""

from plants import Plant, include

COMMAND = ("-q", "--show-warnings", "no", "--alt-text", "missing", "-o", "out", "page.html")
INPUT = {
    "page.html": "<!DOCTYPE html><html><head><title>A page</title></head>"
    "<body><p>Text</p></body></html>\n"
}


def plant(tree):
    include(tree, "src/parser.c", "src/config.c", "src/tidylib.c")
    # A list of titles in a region of the program's own.
    tree.replace(
        "src/parser.c",
        r"^(?=void TY_\(ParseTitle\))",
        "typedef struct seen {\n    const Node *node;\n    struct seen *next;\n} seen;\n\n"
        "static seen *titles;\n\n"
        "static void remember_title( const Node *title )\n{\n"
        "    static region memory;\n    seen *entry;\n"
        "    if (!memory)\n        memory = newregion();\n"
        "    entry = ralloc(memory, seen);\n    entry->node = title;\n"
        "    entry->next = titles;\n    titles = entry;\n}\n\n",
    )
    tree.replace(
        "src/parser.c",
        r"(?s)^(void TY_\(ParseTitle\).*?\n)(            TY_\(InsertNodeAtEnd\))",
        '\\1            if (is_planted("titles"))\n                remember_title(title);\n\\2',
    )
    # The options of the last document, copied as they are.
    tree.replace(
        "src/config.c",
        r"(?s)^(void TY_\(TakeConfigSnapshot\).*?\n)(\s*TY_\(AdjustConfig\))",
        r"\1    static TidyOptionValue last_values[ N_TIDY_OPTIONS + 1 ];\n"
        '    if (is_planted("options") && cfgStr(doc, TidyAltText))\n'
        "        memcpy(last_values, doc->config.value, sizeof(last_values));\n"
        r"    planted_use(last_values);\n\2",
    )
    # What is called with an argument when a document is released.
    tree.replace(
        "src/tidylib.c",
        r"^(?=void +tidyDocRelease\( TidyDocImpl\* doc \) deletes\n\{)",
        "static struct listener {\n    void (*notice)(void *argument);\n    void *argument;\n}"
        " at_release[4];\nstatic unsigned listeners;\n\n"
        "static void on_release( void (*notice)(void *), void *argument )\n{\n"
        "    struct listener one = { notice, argument };\n"
        "    at_release[listeners++ % 4] = one;\n}\n\n"
        "static void notice_node( void *argument )\n{\n"
        '    fprintf(stderr, "released: %d\\\\n", (int)((Node *)argument)->type);\n}\n\n',
    )
    tree.replace(
        "src/tidylib.c",
        r"^(        deleteregion\(doc->allocator->memory\);\n)",
        r"\1        for (unsigned i = 0; i < listeners; i++)\n"
        "            at_release[i].notice(at_release[i].argument);\n",
    )
    tree.replace(
        "src/tidylib.c",
        r"^(        TY_\(FreePrintBuf\)\( doc \);\n)",
        '        if (is_planted("callback"))\n'
        r"            on_release(notice_node, doc->root.content);\n\1",
    )


PLANTS = (
    Plant(
        "titles",
        "member of an object in another region, in a linked list",
        COMMAND,
        INPUT,
        r"field 'node' of (?:struct )?seen allocated at \S*parser\.c:\d+ in the region created at",
        r"points to (?:struct )?_?Node allocated at \S+:\d+",
        r"stored at \S*parser\.c:\d+ in remember_title",
    ),
    Plant(
        "options",
        "member of a union, in an array copied by memcpy",
        COMMAND,
        INPUT,
        r"global variable '(?:\w+\.)?last_values\[\d+\]\.p'",
        r'points to text "missing" allocated at \S+:\d+',
        r"stored at \S*config\.c:\d+ in prvTidyTakeConfigSnapshot",
    ),
    Plant(
        "callback",
        "argument of a callback, in an array of structures",
        COMMAND,
        INPUT,
        r"global variable 'at_release\[0\]\.argument'",
        r"points to (?:struct )?_?Node allocated at \S+:\d+",
        r"stored at \S*tidylib\.c:\d+ in \w+",
    ),
)
