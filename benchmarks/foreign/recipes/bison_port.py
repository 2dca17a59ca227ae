# SPDX-License-Identifier: MIT
"""GNU Bison, ported: the states of the automaton are in a region that lives as long as they, and
the annotations of IELR, which had an obstack of their own, in another.

Symbols, rules and texts stay as they are.
"""

FILES = ()
KINDS = ("src/*.[chly]",)


def port(tree):
    port_states(tree)
    port_annotations(tree)


def port_states(tree):
    tree.replace(
        "src/state.h", r"^(struct state_list;)$", r"extern settled region state_memory;\n\1"
    )
    tree.replace("src/state.h", r'^(# include "symtab\.h")$', r"\1\n# include <acre/acre.h>")
    for name, function in (
        ("src/state.h", "states_free"),
        ("src/state.c", "states_free"),
        ("src/lr0.h", "generate_states"),
        ("src/lr0.c", "generate_states"),
        ("src/ielr.h", "ielr"),
        ("src/ielr.c", "ielr"),
    ):
        tree.replace(name, rf"^((?:void )?{function} \(void\))(?=;|\n)", r"\1 deletes")
    tree.replace(
        "src/lr0.c", r"^(  allocate_storage \(\);)$", r"  state_memory = newregion ();\n\1"
    )
    tree.replace(
        "src/state.c", r"^(state_number nstates = 0;)$", r"settled region state_memory;\n\1"
    )
    # The arrays that these records end in, so that their types say so.
    for name in (r"state \*states", r"symbol \*symbols", r"rule \*rules", "item_index items"):
        tree.replace("src/state.h", rf"^(  {name})\[1\];$", r"\1[];")
    for record, field, count in (
        ("transitions", "states", 1),
        ("errs", "symbols", 1),
        ("reductions", "rules", 1),
    ):
        tree.replace(
            "src/state.c",
            rf"\bxmalloc \((offsetof \({record}, {field}\) \+ \w+)\)",
            rf"acre_region_alloc (state_memory, \1, 8, ACRE_TYPE ({record}))",
            count,
        )
    tree.replace(
        "src/state.c",
        r"(\bstate \*res = )xmalloc \((offsetof \(state, items\) \+ items_size)\)",
        r"\1acre_region_alloc (state_memory, \2, 8, ACRE_TYPE (state))",
        2,
    )
    tree.replace("src/state.c", r"(?s)^/\*-+\.\n\| Free S\.  \|.*?\n\}\n", "")
    tree.replace(
        "src/state.c",
        r"(?s)^  for \(state_number i = 0; i < nstates; \+\+i\)\s*state_free \(states\[i\]\);\n"
        r"(  free \(states\);\n)",
        r"\1  states = NULL;\n  final_state = NULL;\n  deleteregion (state_memory);\n",
    )
    tree.replace("src/state.c", r"^\s*state_free \(states\[i\]\);\n", "")
    tree.annotate("src/state.h", "struct state", {"sameregion": "transitions reductions errs"})


def port_annotations(tree):
    for name, count in (
        ("src/AnnotationList.c", 4),
        ("src/AnnotationList.h", 1),
        ("src/ielr.c", 1),
    ):
        tree.replace(
            name, r"\bstruct obstack\s+\*annotations_obstackp", "region annotations", count
        )
    for name in ("src/AnnotationList.c", "src/AnnotationList.h", "src/ielr.c"):
        text = tree.read(name)
        tree.replace(
            name, r"\bannotations_obstackp\b", "annotations", text.count("annotations_obstackp")
        )
    for name in ("src/Sbitset.c", "src/Sbitset.h"):
        tree.replace(name, r"\bstruct obstack \*obstackp", "region memory")
    for name, guard in (("Sbitset", "SBITSET_H_"), ("lr0", "LR0_H_")):
        tree.replace(f"src/{name}.h", rf"^(# define {guard})$", r"\1\n# include <acre/acre.h>")
    tree.replace("src/Sbitset.c", r"\bobstack_alloc \(obstackp, ", "rstralloc (memory, ")
    tree.replace(
        "src/AnnotationList.c",
        r"(?s)\bobstack_alloc \(annotations,(.*?)\);",
        r"acre_region_alloc (annotations,\1, 8, ACRE_TYPE (AnnotationList));",
    )
    tree.replace("src/AnnotationList.h", r"^(  Sbitset contributions)\[1\];$", r"\1[];")
    # What was given back to the obstack stays in the region.
    tree.replace("src/AnnotationList.c", r"(?s)\bobstack_free \(annotations,\s*[^;]*\);", ";", 7)
    tree.replace(
        "src/ielr.c", r"^    struct obstack annotations_obstack;$", "    region annotations = NULL;"
    )
    tree.replace(
        "src/ielr.c", r"\bobstack_init \(&annotations_obstack\)", "annotations = newregion ()"
    )
    tree.replace("src/ielr.c", r"&annotations_obstack\);", "annotations);", 1)
    tree.replace(
        "src/ielr.c",
        r"(?s)^    if \(annotation_lists\)\s*obstack_free \(&annotations_obstack, NULL\);\n"
        r"(    free \(annotation_lists\);\n)",
        r"\1    if (annotations)\n      deleteregion (annotations);\n",
    )
