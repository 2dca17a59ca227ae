# SPDX-License-Identifier: MIT
"""mini_httpd, ported: the request, its answer, and whatever else is allocated for a request have an
owner each.

Plain stay the settings, which are literals, arguments or copies that live as long as the process;
the strings of a CGI program's environment, of which some are literals; what scandir allocates.  The
lines of a request are plain pointers into it, kept in many variables.
"""

FILES = ()
KINDS = ("*.[ch]",)
SERVER = "mini_httpd.c"


def port(tree):
    tree.replace("match.h", r"^#define _MATCH_H_$", "\\g<0>\n\n#include <acre/own.h>")
    for name in ("match.h", "match.c"):
        tree.replace(
            name,
            r"\bmatch\( (const char\*) (pattern, const char\*) ",
            r"match( \1 borrowed \2 borrowed ",
        )
    tree.replace(
        SERVER,
        r"^(static void send_(?:error|authenticate)\(.*\));",
        r"\1 __attribute__((noreturn));",
        2,
    )
    port_allocation(tree)
    port_buffers(tree)
    port_requests(tree)
    port_streams(tree)
    port_connections(tree)
    port_passwords(tree)


def own(tree, pattern, count=1):
    """pattern: what stands before the star, and behind it what is declared, as two groups."""
    tree.replace(SERVER, pattern, r"\1 *unique \2", count)


def replace_null(tree, pattern, instead, count=1):
    """An empty place is overwritten."""
    tree.replace(SERVER, pattern, rf"{instead}, \1 ) );", count)


def port_allocation(tree):
    own(tree, r"^(static void)\*\s(e_(?:malloc|realloc)\(.*\);)$", 2)
    own(tree, r"^(static char)\*\s(e_strdup\(.*\);)$")
    tree.replace(SERVER, r"^(static (?:void|char))\*(?=\ne_\w+\()", r"\1 *unique", 3)
    own(tree, r"\b(e_realloc\( void)\* (?=optr)()", 2)
    own(tree, r"^(    void)\* (ptr;)", 2)
    own(tree, r"^(    char)\* (str;)$")
    tree.replace(SERVER, r"= (e_strdup\( (?:value|buf) \));", r"= acre_release( \1 );", 14)


def port_buffers(tree):
    """Those that grow: where a size is 0 there is nothing yet."""
    tree.replace(SERVER, r"(add_(?:str|data)\( char\*)\*(?= bufP)", r"\1 unique *", 4)
    replace_null(tree, r"\*bufP = \(char\*\) (e_malloc\(.*\));", "acre_release( acre_swap( bufP")
    tree.replace(SERVER, r"\(void\*\) \*bufP, ", "acre_take( bufP ), ")
    own(tree, r"^(static char)\* (request|response)(?=;)", 2)
    tree.replace(SERVER, r"return (&\(request\[i\]\))", r"return acre_unowned( \1 )")
    tree.replace(SERVER, r"\bmy_write\( response,", "my_write( acre_unowned( response ),")
    own(tree, r"^(    static char)\* (buf;)")
    replace_null(tree, r"\bbuf = \(char\*\) (e_malloc\(.*\));", "acre_release( acre_swap( &buf")
    tree.replace(SERVER, r"\(void\*\) buf, maxbuf", "acre_take( &buf ), maxbuf")
    tree.replace(SERVER, r"^(    char)\* contents;", r"\1 *unique contents = NULL;")
    tree.replace(SERVER, r"^(\tchar)\* headers;", r"\1 *unique headers = NULL;")
    # They were lost.
    tree.replace(
        SERVER,
        r"^    send_response\(\);\n(?=    \}\n\n\n#ifdef HAVE_SCANDIR)",
        r"\g<0>    free( contents );" + "\n",
    )
    tree.replace(
        SERVER,
        r"^(\tif \( headers_len == 0 \)\n)(\t    return;)",
        "\\1\t    {\n\t    free( headers );\n\\2\n\t    }",
    )
    tree.replace(SERVER, r"^\t\(void\) my_write\( headers, .*\n", "\\g<0>\tfree( headers );\n")


def port_requests(tree):
    own(tree, r"^(    char)\* (directory;)")
    own(tree, r"^(static char\*)\* (?=make_argp)()")
    tree.replace(SERVER, r"^(static char\*)\*(?=\nmake_argp)", r"\1 *unique")
    own(tree, r"^(    char\*)\* (argp;)", 2)
    tree.replace(SERVER, r"(argp ==|return) \(char\*\*\) 0", r"\1 NULL", 2)
    # The referrer's host was lost at each way out.
    tree.replace(
        SERVER,
        r"^    char\* refhost;",
        "    char *unique refhost __attribute__((cleanup(free_string))) = NULL;",
    )
    tree.replace(
        SERVER,
        r"^(?=/\* Returns 1 if ok to serve)",
        "static void\nfree_string( char *unique *stringP )\n"
        "    {\n    free( acre_take( stringP ) );\n    }\n\n\n",
    )


def port_streams(tree):
    own(tree, r"^(static FILE)\* (?=logfp)()")
    own(tree, r"^(    FILE)\* (fp;)", 4)
    own(tree, r"^(\tFILE)\* (?=pidfp)()")
    tree.replace(SERVER, r"(?<=[!=]= )\(FILE\*\) 0", "NULL", 9)
    tree.replace(SERVER, r"fclose\( logfp \)", "fclose( acre_take( &logfp ) )", 2)
    tree.replace(SERVER, r"^\s*logfp = \(FILE\*\) 0;\n", "", 2)
    replace_null(
        tree,
        r"\blogfp = (fopen\(.*\));(?=(?:\n.*){6}\n\tif)",  # the first, in main
        "acre_release( acre_swap( &logfp",
    )


def port_connections(tree):
    own(tree, r"^(static SSL_CTX)\* ()")
    own(tree, r"^(static SSL)\* ()")
    replace_null(tree, r"\bssl_ctx = (SSL_CTX_new\(.*\));", "SSL_CTX_free( acre_swap( &ssl_ctx")
    replace_null(tree, r"\bssl = (SSL_new\(.*\));", "SSL_free( acre_swap( &ssl")
    tree.replace(SERVER, r"(SSL_(?:accept|read|write)\( )ssl\b", r"\1acre_unowned( ssl )", 3)
    tree.replace(SERVER, r"SSL_free\( ssl \)", "SSL_free( acre_take( &ssl ) )", 2)
    own(tree, r"^(    struct addrinfo)\* (ai;)")


def port_passwords(tree):
    name = "htpasswd.c"
    tree.replace(name, r"^#include <sys/types\.h>$", "#include <acre/own.h>\n\\g<0>")
    tree.replace(name, r"^static char \* strd", "static char *unique strd")
    tree.replace(name, r"^    char \*d;", "    char *unique d;")
    tree.replace(name, r"^    FILE \*tfp,\*f;", "    FILE *unique tfp,*unique f;")
    # What was typed was lost.
    tree.replace(name, r"^    char\* pw;", "\\g<0>\n    char *unique typed = NULL;")
    tree.replace(name, r"\bpw = strd", "pw = typed = strd")
    tree.replace(name, r"^    \(void\) fprintf\( f, .*\n", "\\g<0>    free( typed );\n")
