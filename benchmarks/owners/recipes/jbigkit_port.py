# SPDX-License-Identifier: MIT
"""JBIG-KIT, ported: the arrays of coder and decoder, the buffers of coded stripes and what the
tools read are owners.  Buffers go from list to list, and lead back by plain pointers.

Plain stay the images of the caller, which the coder has beside its own in one array; a table that
is static or was read; what the tools lend to the coder for longer than a call; and streams that
may be standard input or output.  A decoder starts with null in its arrays, and jbgtopbm's
diagnosis, which forgot its buffer on seven ways out, ends it on all.
"""

import re

import patch

FILES = ()
KINDS = ("libjbig/*.[ch]", "pbmtools/*.[ch]")
HEADER, CODER = "libjbig/jbig.h", "libjbig/jbig.c"
FIELDS = {
    "struct jbg_buf": "next",
    "struct jbg_enc_state": "highres tx sde s free_list tp",
    "struct jbg_dec_state": "lhp tx ty s reset lntp",
}
STATE = r"struct jbg_(?:enc|dec)_state \*"
RESULT = r"(?:static |unsigned )*(?:void|int|size_t|long|char) +\*?"

# What is declared in the header and in its file.
BOTH = (
    (rf"^(void jbg_(?:enc|dec)_init\({STATE})s\b", r"\1acre_out s", 2),
    (r"\(\*data_out\)\(unsigned char \*start", r"(*data_out)(unsigned char *borrowed start", 3),
    (r"^unsigned char \*(jbg_dec_getimage)", r"unsigned char *borrowed \1"),
    (r"^(\s+const unsigned char \*)(src, unsigned char \*\*dest)", r"\1borrowed \2"),
    (rf"^(int +jbg_dec_in\({STATE}borrowed s, unsigned char \*)(?=data)", r"\1borrowed "),
    (r"^(int +jbg_newlen\(unsigned char \*)(?=bie)", r"\1borrowed "),
)
ALLOCATING = (
    (r"^static void \*(checked_(?:malloc|realloc)\()", r"static void *unique \1", 2),
    (r"(checked_(?:realloc|free)\()void \*ptr", r"\1void *unique ptr", 2),
    (r"^  void \*p;", "  void *unique p;", 2),
    (r"(checked_realloc\()(s->[^,]*),", r"\1acre_take(&\2),", 7),
    (
        r"\(([a-z_ ]+) (\*+)\)(\s+checked_(?:m|re)alloc)",
        lambda cast: f"({cast[1]} " + "*unique " * len(cast[2]) + ")" + cast[3],
        33,
    ),
)
# The arrays, which several fields hold.
ARRAYS = (
    (
        r"^(  s->lhp\[1\] = \(unsigned char )\*unique \*unique (\)\s+)(checked_malloc\(.*\));",
        r"\1**\2acre_release(\3);",
    ),
    (
        r"^(    s->lhp\[1\]\[i\] = \(unsigned char )\*unique (\)\s+)(checked_malloc\(.*\));",
        r"\1*\2acre_release(\3);",
    ),
    (
        r"^      (s->(?:s|tx|ty|reset|lntp|lhp\[[01]\])) += "
        r"(\([^)]*\)\s+checked_malloc\(s->planes, .*\));",
        r"      checked_free(acre_swap(&\1, \2));",
        7,
    ),
    (
        r"^(\s+)(s->dppriv = \(char \*)unique (\)) (checked_malloc\(.*\));",
        r"\1\2\3 acre_release(\4);",
        2,
    ),
    (
        r"^(\s+)checked_free\((s->(?!lhp\[1\]|dppriv)[^)]*)\);",
        r"\1checked_free(acre_take(&\2));",
        19,
    ),
    (
        r"checked_free\((s->lhp\[1\](?:\[plane\])?)\);(?=(?:.|\n)*Convert the error codes)",
        r"checked_free((void *unique) \1);",
        2,
    ),
    (r"checked_free\((s->lhp\[1\](?:\[i\])?)\);", r"checked_free(acre_take(&\1));", 2),
    (r"^(    checked_free\()((?:s->)?dppriv\);)", r"\1(void *unique) \2", 2),
    (
        r"^  s->s = NULL;(?=\n\n  return;\n\}\n\n\n/\*\n \* Specify)",
        "  s->s = NULL;\n  s->tx = s->ty = s->reset = s->lntp = NULL;\n"
        "  s->lhp[0] = s->lhp[1] = NULL;",
    ),
    (r"^  unsigned char \*\*src;", "  unsigned char *unique *src;"),
    (r"^(  se->(?:file|pscd_ptr|pscd_end) = )((?:data|s->sde).*);", r"\1acre_unowned(\2);", 3),
    (r"^(unsigned char \*)(jbg_next_pscdms\(unsigned char \*)", r"\1borrowed \2borrowed "),
)
BUFFERS = (
    (r"^(#define SDE_(?:DONE|TODO) \(\(struct jbg_buf \*)", r"\1unique", 2),
    (r"^(static struct jbg_buf \*)(jbg_buf_init\(struct jbg_buf \*)\*", r"\1unique \2unique *"),
    (r"^(static void jbg_buf_free\(struct jbg_buf \*)\*", r"\1unique *"),
    (r"^(static void jbg_buf_output\(struct jbg_buf \*)\*", r"\1unique *borrowed "),
    (
        r"^(static void jbg_buf_prefix\(struct jbg_buf \*)(new_prefix, struct jbg_buf \*)\*",
        r"\1unique \2unique *",
    ),
    (r"^  struct jbg_buf \*(new_block|tmp|new_jbg_buf);", r"  struct jbg_buf *unique \1;", 4),
    (
        r"^    new_block = \*free_list;\n    \*free_list = new_block->next;",
        "    new_block = acre_take(free_list);\n    *free_list = acre_take(&new_block->next);",
    ),
    (r"^(  new_block->(?:last|free_list) = )(\w+);", r"\1acre_unowned(\2);", 2),
    (
        r"^    tmp = \(\*free_list\)->next;\n    checked_free\(\*free_list\);",
        "    tmp = acre_take(&(*free_list)->next);\n    checked_free(acre_take(free_list));",
    ),
    (r"^  now->next = (jbg_buf_init\(.*\));", r"  checked_free(acre_swap(&now->next, \1));"),
    (r"^(  \(\(struct jbg_buf \*\) head\)->last = )now->next;", r"\1acre_unowned(now->next);"),
    (
        r"^      head->last->next = .*;\n.*\n(      head->last = last->previous;)\n.*NULL;",
        r"\1\n      struct jbg_buf *unique empty = acre_take(&head->last->next);\n"
        "      checked_free(acre_swap(&empty->next, acre_take(head->free_list)));\n"
        "      *head->free_list = empty;",
    ),
    (
        r"^  new_prefix->last->next = \*start;",
        "  checked_free(acre_swap(&new_prefix->last->next, acre_take(start)));",
    ),
    (
        r"^    tmp = \(\*head\)->next;\n.*free_list;\n.*= \*head;\n.*= tmp;",
        "    struct jbg_buf *unique *list = (*head)->free_list;\n"
        "    tmp = acre_take(&(*head)->next);\n    (*head)->next = acre_take(list);\n"
        "    *list = acre_swap(head, tmp);",
    ),
)
LENT_STATE = (rf"^({RESULT}\w+(?<!init)\((?:const )?{STATE})(?=s\b)", r"\1borrowed ")
LENT_CODE = (
    r"(\barith_(?:en|de)code\w*\(struct jbg_ar(?:enc|dec)_state \*)(?=s\b)",
    r"\1borrowed ",
    5,
)
READER = (
    (r"^(void read_file\(unsigned char \*)\*", r"\1unique *"),
    (r"^    \*buf = \(unsigned char \*\) (malloc\(\*buflen\));", r"    free(acre_swap(buf, \1));"),
    (r"\*buf = \(unsigned char \*\) realloc\(\*buf,", "*buf = realloc(acre_take(buf),", 2),
    (
        r"^(?=void diagnose_bie\()",
        "static void free_buffer(void *p)\n{\n  free(*(void **) p);\n}\n\n",
    ),
    (
        r"^  unsigned char \*bie, (\*p, \*pnext;)",
        r"  unsigned char *unique bie __attribute__((cleanup(free_buffer))) = NULL, \1",
    ),
    (r"^  free\(bie\);\n\n", ""),
    (r"^  unsigned char \*buffer, \*p;", "  unsigned char *unique buffer, *p;"),
    (
        r"^(  extern unsigned char \*)(jbg_next_pscdms\(unsigned char \*)",
        r"\1borrowed \2borrowed ",
    ),
    (r"^(void write_it\(unsigned char \*)", r"\1borrowed "),
    (r"^(  return 0;\n\})", r"  free(buffer);\n\1"),
)
WRITER = (
    (r"^(void \*)(checkedmalloc\(size_t n\)\n\{\n  void \*)(?=p)", r"\1unique \2unique "),
    (r"^(  unsigned char \*\*bitmap, \*p, \*)(?=image;)", r"\1unique "),
    (r"^(  +bitmap(?:\[i\])? = .*?)(checkedmalloc\([^;]*\));", r"\1acre_release(\2);", 2),
    (r"^(static void data_out\(unsigned char \*)", r"\1borrowed "),
)
RULES = {
    HEADER: (
        (*LENT_STATE, 15),
        *BOTH,
        (r"^#include <stddef.h>", "#include <stddef.h>\n#include <acre/own.h>"),
        (r"^  struct jbg_buf \*\*free_list;   ", "  struct jbg_buf *unique *free_list;   "),
    ),
    CODER: ((*LENT_STATE, 20), *BOTH, *ALLOCATING, *ARRAYS, *BUFFERS),
    "libjbig/jbig_ar.h": (
        LENT_CODE,
        (r"^#define JBG_AR_H", "#define JBG_AR_H\n#include <acre/own.h>"),
    ),
    "libjbig/jbig_ar.c": (LENT_CODE,),
    "libjbig/tstcodec.c": ((r"^(static void testbuf_writel\(unsigned char \*)", r"\1borrowed "),),
    "pbmtools/jbgtopbm.c": READER,
    "pbmtools/pbmtojbg.c": WRITER,
}


def own_fields(tree, record, fields):
    """All pointers on the way to what the fields lead to are owners."""
    text = tree.read(HEADER)
    start, end = patch.find_record(HEADER, text, record)
    body = text[start:end]
    for field in fields.split():
        body, found = re.subn(
            rf"(\*+)({field})(?=\s*[;,\[])",
            lambda stars: "*unique " * len(stars[1]) + stars[2],
            body,
        )
        if found != 1:
            raise patch.Mismatch(f"{HEADER}: {found} pointers named {field} in {record}")
    tree.write(HEADER, text[:start] + body + text[end:])


def port(tree):
    for record, fields in FIELDS.items():
        own_fields(tree, record, fields)
    tree.replace_all(RULES)
