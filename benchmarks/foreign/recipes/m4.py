# SPDX-License-Identifier: MIT
"""GNU m4, the macro processor: obstacks for the stack of input, the arguments of nested calls and
texts."""

import glob
import hashlib
import os
import re

from toolchain import run_program

PACKAGE = "m4"
PORT = "m4_port"
MEMORY = "obstacks with nested marks: the input, arguments of nested calls; symbols from malloc"
FILES = ("src/*.[chy]", "lib/*.[ch]")
BINARY = "src/m4"
SETTINGS = ("LC_ALL=C",)
RUNS = {"small": ("-Dlimit=60", "script.m4"), "default": ("-Dlimit=2000", "script.m4")}
OUTPUTS = ()
SCRIPT = """\
divert(-1)
define(`forloop', `ifelse(eval($2 > $3), 1, `', `pushdef(`$1', $2)$4`'popdef(`$1')forloop(`$1',
  incr($2), $3, `$4')')')
define(`reverse', `ifelse(`$#', `1', ``$1'', `reverse(shift($@)), `$1'')')
define(`count', `$#')
define(`join', `ifelse(`$#', `2', `$2', `$2`'$1`'join(`$1', shift(shift($@)))')')
define(`fib', `ifelse(eval($1 < 2), 1, $1, `eval(fib(decr($1)) + fib(decr(decr($1))))')')
define(`entry', `define(`name_$1', `text of $1 with $2')dnl
translit(name_$1, `a-z', `A-Z') substr(name_$1, 3, 8) index(name_$1, `with') len(name_$1)
join(`, ', reverse(`a$1', `b', join(`+', $1, 2, 3), count(name_$1, $2, 4)))
patsubst(name_$1, `t\\(.\\)', `<\\1>') regexp(name_$1, `\\w+ \\([0-9]+\\)', `\\1')
ifdef(`name_'eval($1 - 7), `format(`%05d|%-8s|%x', $1, indir(`name_'eval($1 - 7)), $1)', `none')')
divert(0)dnl
forloop(`i', 1, limit, `entry(i, fib(eval(i % 9)))
')dnl
undivert
"""


def write_loads(directory):
    with open(os.path.join(directory, "script.m4"), "w", encoding="ascii") as file:
        file.write(SCRIPT)


def build(tree, flags):
    for name in ("aclocal.m4", "configure", "lib/config.hin", "Makefile.in"):
        os.utime(tree.path(name))
    text = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={text}"),
        *("--disable-nls", "--disable-dependency-tracking"),
    )
    tree.make("-C", "lib")
    tree.make("-C", "src", "m4")


def check(tree):
    """Its own checks, each with the options and the environment that it asks for."""
    said, checks = {}, tree.path("checks")
    for path in sorted(glob.glob(os.path.join(checks, "[0-9]*"))):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        options = re.search(r"(?m)^dnl @ extra options:(.*)$", text)
        words = options.group(1).split() if options else []
        status, output, errors = run_program(
            [tree.path(BINARY), "-d", "-I", tree.path("doc", "..", "examples"), *words, "-"],
            stdin=text.encode(errors="replace"),
            cwd=checks,
        )
        made = re.sub(re.escape(tree.directory).encode(), b"TREE", output + errors)
        made = re.sub(rb"/tmp/\w+|m4-\w+", b"NAME", made)
        said[os.path.basename(path)] = f"ok {status} {hashlib.sha256(made).hexdigest()[:12]}"
    return said
