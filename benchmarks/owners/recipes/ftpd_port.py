# SPDX-License-Identifier: MIT
"""ftpd, ported: streams, the credentials of a login, the list of piped processes, the name of a
file to be renamed, and buffers have an owner each.

Plain stay the arguments of commands, because bison's stack copies its values; the words that a
piped program is given, of which the first is not theirs; the buffer of send_data, which may be a
mapped file; the streams and the directory of send_file_list, which a longjmp leaves open; the name
of the host, which lives as long as the process.
"""

import re

NAMES = ("auth", "conf", "ftpd", "popen", "server_mode")
FILES = ()
KINDS = ("ftpd/ftpcmd.y", "ftpd/extern.h", *(f"ftpd/{name}.c" for name in NAMES))
HEADER, SERVER, COMMANDS = "ftpd/extern.h", "ftpd/ftpd.c", "ftpd/ftpcmd.y"
# What functions of other files are lent by owners.
LENT = "renamecmd|checkuser|sgetcred|auth_user|auth_pass"
PLACES = "name homedir rootdir shell remotehost passwd message"


def port(tree):
    port_header(tree)
    for name, count in ((HEADER, 5), (SERVER, 1), ("ftpd/auth.c", 3), ("ftpd/conf.c", 1)):
        lend(tree, name, rf"^(?:extern \w+ )?(?:{LENT}) \([^)]*\)(?=;|\n\{{)", count)
    lend(tree, SERVER, r"^(?:static void )?(?:\w+_login|dolog) \(struct [^)]*\)", 6)
    port_credentials(tree)
    port_buffers(tree)
    port_streams(tree)
    port_commands(tree)
    port_pipes(tree)
    # What the libraries do with these, beside the headers that declare them.
    tree.write("lib/mgetgroups.acre", "fills-always 2 mgetgroups\n")
    tree.write("libinetutils/libinetutils.acre", "lends logwtmp_keep_open\n")


def own(tree, name, pattern, count=1):
    """The word goes to the end of what the pattern matches."""
    tree.replace(name, rf"({pattern})(?=(\w?))", owned, count)


def owned(match):
    return match.group(1) + ("unique " if match.group(2) else "unique")


def lend(tree, name, pattern, count):
    """The parameters that point to texts or credentials are borrowed."""

    def borrow(signature):
        return re.sub(
            r"((?:const char|struct credentials) \*)(?=(\w?))",
            lambda match: match.group(1) + ("borrowed " if match.group(2) else "borrowed"),
            signature.group(0),
        )

    tree.replace(name, pattern, borrow, count)


def port_header(tree):
    tree.replace(HEADER, r"^#include <stdio\.h>$", "#include <acre/own.h>\n\\g<0>")
    tree.annotate(HEADER, "struct credentials", {"unique": PLACES})
    own(tree, HEADER, r"ftpd_pclose \(FILE \*")
    own(tree, HEADER, r"extern FILE \*(?=ftpd_popen)")
    own(tree, HEADER, r"extern char \*(?=sgetsave)")
    for pattern, attribute, count in (
        (r"^(extern void (?:dologout|fatal) \(.*\));", "noreturn", 2),
        (r"^(extern void l?reply \(.*, \.\.\.\));", "format (printf, 2, 3)", 2),
    ):
        tree.replace(HEADER, pattern, rf"\1 __attribute__ (({attribute}));", count)


def port_credentials(tree):
    for name, messages, others in ((SERVER, 6, 7), ("ftpd/auth.c", 1, 6)):
        tree.replace(
            name,
            r"^([ \t]*)free \((p?cred(?:\.|->)message)\);\n\s*\2 = NULL;",
            r"\1free (acre_take (&\2));",
            messages,
        )
        tree.replace(
            name, r"\bfree \((pcred->(?!pass\b)\w+)\)", r"free (acre_take (&\1))", others
        )
    tree.replace(
        SERVER,
        r"^(  char \*)(remotehost = )(pcred->remotehost)",
        r"\1unique \2acre_take (&\3)",
    )
    own(tree, SERVER, r"^char \*(?=\nsgetsave)")
    tree.replace(
        SERVER,
        r"(\"%s\", |lreply_multiline \(230, |strrchr \(|\tmsg = )(cred\.message)",
        r"\1acre_unowned (\2)",
        5,
    )
    tree.replace(COMMANDS, r"\bcwd \((cred\.homedir)\)", r"cwd (acre_unowned (\1))")


def port_buffers(tree):
    own(tree, SERVER, r"^  char \*(?=(?:string|cwd|line|buf);|p = NULL;|path = xgetcwd)", 6)
    own(tree, SERVER, r"^      char \*(?=current = xgetcwd)")
    own(tree, SERVER, r"^  static char \*(?=(?:path|string) = 0;)", 2)
    tree.replace(SERVER, r"^  free \((path|string)\);", r"  free (acre_take (&\1));", 2)
    # Freed twice, at the next call, if memory was out.
    tree.replace(
        SERVER,
        r"^(      char \*)(tmp = realloc \()path, strlen \(path\)",
        r"\1unique old = acre_take (&path);" + "\n" + r"\1unique \2old, strlen (old)",
    )
    tree.replace(SERVER, r"^(\t  )free \(path\);", r"\1free (old);")
    tree.replace(SERVER, r"return string;(?=\n\t\})", "return acre_unowned (string);")
    tree.replace(SERVER, r"(?<=onefile\[0\] = )p\b", "acre_unowned (p)")
    own(tree, "ftpd/conf.c", r"^  gid_t \*(?=groups)")


def port_streams(tree):
    tree.replace(SERVER, r"\bint unique\)", "int is_unique)")
    tree.replace(SERVER, r"\bif \(unique\b", "if (is_unique", 2)
    own(tree, SERVER, r"^static FILE \*(?=\n?(?:dataconn|getdatasock))", 4)
    tree.replace(SERVER, r"^  FILE \*(\w+), \*(?=\w+;)", r"  FILE *unique \1, *unique ", 2)
    own(tree, SERVER, r"^  FILE \*(?=(?:file|fin);)", 2)
    tree.replace(SERVER, r"(?<=dout = )(dataconn \(\"file.*\));", r"acre_release (\1);", 2)
    # A pointer to fclose cannot be one to ftpd_pclose, which says that it ends a stream.
    tree.replace(SERVER, r"^  int \(\*closefunc\) .*\n", "", 2)
    tree.replace(SERVER, r", closefunc = \w+;", ";", 2)
    tree.replace(SERVER, r"^  closefunc = fclose;\n", "")
    tree.replace(SERVER, r"\(\*closefunc\) (?=\(fout\))", "fclose ")
    tree.replace(
        SERVER,
        r"^  \(\*closefunc\) \(fin\);",
        "  if (cmd == 0)\n    fclose (fin);\n  else\n    ftpd_pclose (fin);",
    )
    # A name pointed into it behind its block.
    tree.replace(SERVER, r"^      char line\[BUFSIZ\];\n\n", "")
    tree.replace(SERVER, r"^  size_t buffer_size = BUFSIZ;", "  char line[BUFSIZ];\n\\g<0>")
    # A file that was opened, and is not one to write to, was not closed.
    tree.replace(
        SERVER,
        r"(\bperror_reply \(553, name\);\n.*\n)(      return;)",
        r"\1      if (fout)" + "\n\tfclose (fout);\n" + r"\2",
    )
    own(tree, "ftpd/conf.c", r"^  FILE \*(?=fp\b)", 2)
    name = "ftpd/server_mode.c"
    tree.replace(name, r"^#include <config\.h>$", "\\g<0>\n#include <acre/own.h>")
    own(tree, name, r"^    FILE \*(?=pid_fp)")


def port_commands(tree):
    own(tree, COMMANDS, r"^static char \*(?=fromname|\n?copy )", 3)
    tree.replace(
        COMMANDS,
        r"^(\s*)(renamecmd \()fromname(, .*\n\s*free \()fromname(\);)\n.*$",
        r"\1char *unique from = acre_take (&fromname);" + "\n" + r"\1\2from\3from\4",
    )
    tree.replace(
        COMMANDS,
        r"^(\s*)free \(fromname\);\n\s*fromname = \(char \*\) 0;",
        r"\1free (acre_take (&fromname));",
        2,
    )
    tree.replace(
        COMMANDS,
        r"free \(fromname\);\n(\s*fromname = )(?=renamefrom)",
        r"free (acre_take (&fromname));" + "\n" + r"\1(char *unique) ",
    )
    tree.replace(COMMANDS, r"\(fromname == \(char \*\) 0 &&", "(!fromname &&")
    own(tree, COMMANDS, r"^  char \*(?=p;$)")
    tree.replace(COMMANDS, r"(?<=yylval\.s = )(copy \(cp\))", r"acre_release (\1)", 2)
    own(tree, COMMANDS, r"^\t\t\tchar \*(?=version = 0)")
    own(tree, COMMANDS, r"^\s*struct addrinfo hints, \*(?=res;)", 4)
    own(tree, COMMANDS, r"^\tFILE \*(?=fin;)")


def port_pipes(tree):
    name = "ftpd/popen.c"
    own(tree, name, r"^  struct file_pid \*(?=next;|fpid;)", 2)
    tree.replace(name, r"^(struct file_pid \*)(?=file_pids)", r"static \1unique ")
    own(tree, name, r"^FILE \*(?=\nftpd_popen)")
    own(tree, name, r"^  FILE \*(?=iop;)")
    tree.replace(name, r"(?<=fpid->file = )iop", "acre_unowned (iop)")
    tree.replace(name, r"(?<=fpid->next = )file_pids;", "acre_take (&file_pids);")
    tree.replace(name, r"^(ftpd_pclose \(FILE \*) (?=iop)", r"\1unique ")
    tree.replace(
        name,
        r"^(  struct file_pid \*)fpid = file_pids, \*prev_fpid = 0;",
        r"\1unique *link = &file_pids, *unique fpid;",
    )
    # A stream that is not in the list was not closed.
    tree.replace(
        name,
        r"^  while \(fpid && fpid(->file != iop\))\n    \{\n.*\n.*\n    \}\n  if \(!fpid\)\n.*$",
        r"  while (*link && (*link)\1" + "\n    link = &(*link)->next;\n"
        "  if (!*link)\n    {\n      fclose (iop);\n      return -1;\n    }",
    )
    tree.replace(
        name,
        r"^  if \(prev_fpid\)\n.*\n  else\n.*$",
        "  fpid = acre_take (link);\n  *link = acre_take (&fpid->next);",
    )
