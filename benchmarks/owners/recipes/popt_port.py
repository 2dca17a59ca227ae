# SPDX-License-Identifier: MIT
"""popt, ported: the context, its vectors and the strings in them, and all buffers are owners.  The
inline function that frees and returns null is a macro, since the result of a function is not known
to be null.  Vectors grow by the package's own function that ends the program without memory.

Left plain: the vector of arguments on the stack, which is the caller's at the bottom; what the
application gets through the addresses in its tables of options; items of aliases, a public type
that has constant strings in those tables; vectors that point into their own block; the buffer of
short options, which is the caller's or not.  The tests and the load are compiled without words.
"""

FILES = ()
KINDS = ("src/*.[ch]",)

# A field that is freed and set to null.
FREED = (
    r"\b((?:con|os|con->os)->(?:nextArg|execFail|execPath|appName|otherHelp|leftove"
    r"rs\[i\]|finalArgv\[i\]|leftovers|finalArgv)) = _free\(\1\)",
    r"\1 = _free(acre_take(&\1))",
)
RULES = {
    "src/popt.h": (
        (r"^(#include <stdio\.h>.*)$", r"\1\n#include <acre/own.h>"),
        ("^(poptContext )(?=poptGetContext|poptInit)", r"\1unique ", 2),
        (r"\b(int poptParseArgvString\(const char \* )", r"\1borrowed "),
        (r"\b(popt(?:FreeContext|Fini)\( ?poptContext )", r"\1unique ", 2),
        (r"^(char \* ?)(?=poptGetOptArg)", r"\1unique "),
        (r"\b(int poptReadFile\(.*char \*)\*", r"\1unique *acre_out"),
        (r"\b(int poptConfigFileToString\(FILE \*fp, char \*)\*", r"\1unique *acre_out"),
    ),
    "src/poptint.h": (
        (
            r"^static inline void \*\n_free\(const void \* p\)\n\{\n.*\n.*\n\}",
            r"#define\t_free(_p)\t(free((void *)(_p)), NULL)",
        ),
        (r"\b(poptJlu32lpair\(const void \*)", r"\1borrowed "),
        (
            r"^(const char \*)(POPT_(?:prev|next)_char \(const char \*)",
            r"\1borrowed \2borrowed ",
            2,
        ),
        (r"^(#define\tPBM_FREE\(s\)\t_free\()s", r"\1acre_take(&(s))"),
        (r"^(    pbm_set \* )(?=arg[b_])", r"\1unique ", 2),
        (
            r"^(    (?:const )?char \* )(?=nextArg;|appName;|execFail;|execPath;|otherHelp;)",
            r"\1unique ",
            5,
        ),
        ("^(    poptItem )(?=aliases;|execs;)", r"\1unique ", 2),
        ("^    poptArgv (?=leftovers;|finalArgv;)", "    const char *unique *unique ", 2),
    ),
    "src/lookup3.c": (
        (r"^(void jlu32lpair\(const void \*)", r"\1borrowed "),
        (r"^(void jlu32lpair\((?:.*\n)*?    u\.ptr = )key;", r"\1acre_unowned(key);"),
    ),
    "src/poptint.c": (
        (
            r"^(const char \*)\n(POPT_(?:prev|next)_char \(const char \*)",
            r"\1borrowed\n\2borrowed ",
            2,
        ),
        (r"^(    char \* )(b = NULL, \* )(ob = NULL;)", r"\1unique \2unique \3"),
        (r"^(static char \*)\n(?=strdup_locale)", r"\1unique\n"),
        (r"^(    char \* )(?=ostr = NULL;)", r"\1unique "),
        (r"^(\tchar \* )(?=dstr = |dstr_tmp;)", r"\1unique ", 2),
    ),
    "src/system.h": (
        (r"^(#define xstrdup\(_str\)\s+)(\(strcpy.*\))$", r"\1((char *unique)\2)"),
        (r"^(#include <stdlib\.h>)", r"#include <acre/own.h>\n\1"),
    ),
    "src/popt.c": (
        (*FREED, 13),
        ("^(poptContext )(?=poptGetContext)", r"\1unique "),
        (r"^(poptContext poptFreeContext\(poptContext )", r"\1unique "),
        (r"^(    if \(con == NULL\) return )con;\n(    poptReset)", r"\1NULL;\n\2"),
        (r"^(    con = _free\(con\);\n    return )con;", r"\1NULL;"),
        ("(myOpt, )(con->os->nextArg)(, cbData)", r"\1acre_unowned(\2)\3"),
        (
            r"(poptSave(?:Bits|String)\(arg.ptr, opt->argInfo, )(con->os->nextArg)",
            r"\1acre_unowned(\2)",
            2,
        ),
        (r"(con->finalArgvCount, )(con->finalArgv)\)", r"\1(void *) acre_unowned(\2))"),
        (
            r"^\tmemcpy\(argv \+ argc, (con->(?:finalArgv|leftovers)),\s+sizeof\(\*argv\)"
            r" \* (con->\w+)\);\n\targc \+= \2;",
            r"\tfor (int i = 0; i < \2; i++)\n\t    argv[argc++] = acre_unowned(\1[i]);",
            2,
        ),
        (
            r"^    con->execFail = (xstrdup\(argv\[0\]\));",
            r"    free(acre_swap(&con->execFail, \1));",
        ),
        (r"^(    for \(av = )(con->leftovers)", r"\1acre_unowned(\2)"),
        (
            r"^(\s+)con->os->nextArg = (xstrdup\(origOptString\));",
            r"\1free(acre_swap(&con->os->nextArg, \2));",
        ),
        (
            r"^    con->execPath = _free\(acre_take\(&con->execPath\)\);\n    con->execPath"
            r" = (xstrdup\(path\));",
            r"    free((void *)acre_swap(&con->execPath, \1));",
        ),
        (
            r'^    if \(\(path = getenv\(\"PATH\"\)\) == NULL \|\| \(path ='
            r" xstrdup\(path\)\) == NULL\)",
            '    if ((se = getenv("PATH")) == NULL || (path = xstrdup(se)) == NULL)',
        ),
        (r"(poptBitsAdd\(\*ap, )\*av", r"\1acre_unowned(*av)"),
        ("^(    poptContext )(?=con = malloc)", r"\1unique "),
        (
            r"^(    con->os = )(con->optionStack);\n(?=    con->os->argc = argc)",
            r"\1acre_unowned(&\2[0]);\n",
        ),
        (
            r"^(    invokeCallbacksPRE\()con(, con->options\);\n\n    return con)",
            r"\1acre_unowned(con)\2",
        ),
        (r"\b(con->(?:leftovers|finalArgv)) =\s+realloc\(\1,", r"\1 = xrealloc(acre_take(&\1),", 3),
        (
            r"(\bchar \*s\s+= )(malloc\(\((?:longName|opt->longName) \?.*\));",
            r"\1acre_release(\2);",
            2,
        ),
        (r"^(\s+con->finalArgv\[.*\] = )s;", r"\1(char *unique)s;", 2),
        (r"^(const char \* )(?=findProgramPath)", r"\1unique "),
        (
            r"^(    char \*)(path = NULL, \*s = NULL, \*se;)\n    char \*(?=t = NULL)",
            r"\1unique \2\n    char *unique ",
        ),
        (r"^(\targv\[argc\] = )(findProgramPath\(item->argv\[0\]\));", r"\1acre_release(\2);"),
        ("^(    poptArgv )(argv = NULL;)", r"\1unique \2"),
        (r"^(static const char \*)\n(?=expandNextArg)", r"\1unique\n"),
        (r"^    char \*t, \*t_tmp, \*te;", "    char *unique t, *unique t_tmp, *te;"),
        (
            r"^(\tif \(\()te( = realloc\(t, \(size_t\)\(te - t\)\)\) == NULL\)\n\t   "
            r" free\(t\);\n\tt = )te;",
            r"\1t_tmp\2t_tmp;",
        ),
        (
            r"\blongArg = (expandNextArg\(con, .*\));\n(\s+)con->os->nextArg = \(char \*\)"
            " longArg;",
            r"con->os->nextArg = (char *unique) \1;",
            3,
        ),
        (r"^(    char \*)(?=tbuf = NULL;)", r"\1unique "),
        (r"^(char \* )(?=poptGetOptArg)", r"\1unique "),
        (
            r"^(    char \* )(ret = NULL;\n    if \(con\) \{\n\tret ="
            r" )(con->os->nextArg);\n\t\3 = NULL;",
            r"\1unique \2acre_take(&\3);",
        ),
        (r"^(\tret = )(con->leftovers\[.*\]);", r"\1acre_unowned(\2);", 2),
        (
            r"^    return \(con->leftovers \+ con->nextLeftover\);",
            "    return (void *) acre_unowned(con->leftovers + con->nextLeftover);",
        ),
        (
            r"^    const char \*\* av;\n    int rc = 0;",
            r"    const char *unique * av;\n    int rc = 0;",
        ),
        (r"^(poptItem poptFreeItems\(poptItem )", r"\1unique "),
        (r"(con->\w+) = poptFreeItems\(\1,", r"poptFreeItems(acre_take(&\1),", 2),
        (
            r"^(    poptItem )\* items, item_tmp, item;",
            r"\1unique * items;\n    poptItem unique item_tmp;\n    poptItem item;",
        ),
        (
            r"^    item_tmp = realloc\(\(\*items\), (.*)\);\n    if \(item_tmp =="
            r" NULL\)\n\treturn 1;",
            r"    poptItem unique old = acre_take(items);\n    item_tmp = realloc(old,"
            r" \1);\n    if (item_tmp == NULL) {\n\t*items = old;\n\treturn 1;\n    }",
        ),
    ),
    "src/popthelp.c": (
        FREED,
        (r"^(static char \*)\n(?=singleOptionDefault)", r"\1unique\n"),
        (
            r"^    char \* le = (malloc.*;)\n    char \* l = le;\n\n    if \(le == NULL\)",
            r"    char * unique l = \1\n    char * le = l;\n\n    if (l == NULL)",
        ),
        (r"^(    char \* )(?=defs = NULL;|left;)", r"\1unique ", 2),
        (r"^(\s+\{?\s*char \* )(?=t = malloc|fmthelp = )", r"\1unique ", 2),
        ("^(    columns_t )(?=columns = calloc)", r"\1unique ", 2),
        (r"^(    poptFreeContext\()con", r"\1(poptContext unique)con"),
        (r'(POPT_fprintf\(fp, \" %s\\n\", )(con->otherHelp)', r"\1acre_unowned(\2)"),
        (
            r"(item(?:Help|Usage)\(fp, (?:columns, )?)(con->(?:aliases|execs))",
            r"\1acre_unowned(\2)",
            4,
        ),
        (
            r"^    con->otherHelp = _free\(acre_take\(&con->otherHelp\)\);\n   "
            r" con->otherHelp = (xstrdup\(text\));",
            r"    free((void *)acre_swap(&con->otherHelp, \1));",
        ),
    ),
    "src/poptconfig.c": (
        (r"^(int poptReadFile\(const char \* fn, char \*)\*", r"\1unique *acre_out"),
        (r"^(    char \* ?)(?=b = NULL|buf = \(paths)", r"\1unique ", 4),
        (r"^(    char \*)(?=t = NULL, \*te;)", r"\1unique "),
        (r"^(\tchar \* )(?=fn = malloc)", r"\1unique "),
        (r"^(poptFini\(poptContext )", r"\1unique "),
        (r"^(\tcon = )(poptFini\(con\));", r"\1(\2, NULL);"),
        (r"(poptReadConfigFiles\()con(, configPaths)", r"\1acre_unowned(con)\2"),
        (r"(poptConfigLine\(con, )te\)", r"\1acre_unowned(te))"),
        (r"\(\(b = realloc\(b,", "((b = xrealloc(b,"),
        (r"^(poptContext)\n(?=poptInit)", r"\1 unique\n"),
        ("^(    poptContext )(?=con = NULL;)", r"\1unique "),
    ),
    "src/poptparse.c": (
        (r"^(int poptConfigFileToString\(FILE \*fp, char \*)\*", r"\1unique *acre_out"),
        (r"^(    char \* )(?=argstr;|argstr_tmp;)", r"\1unique ", 2),
        (r"^(    char \* buf, \* )(bufOrig = NULL;)", r"\1unique \2"),
        (r"^(    const char \*\* )(?=argv = malloc|argv_tmp;)", r"\1unique ", 2),
        (
            r"^    buf = bufOrig = (calloc.*;)\n    if \(buf == NULL\)",
            r"    buf = bufOrig = \1\n    if (bufOrig == NULL)",
        ),
        (r"^(int poptParseArgvString\(const char \* )", r"\1borrowed "),
        (r"^(\s+argv\[argc\] = )buf;", r"\1acre_unowned(buf);", 2),
    ),
}


def port(tree):
    tree.replace_all(RULES)
