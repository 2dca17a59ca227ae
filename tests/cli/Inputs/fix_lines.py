"""Writes a program whose lines end otherwise: FILE KIND, where KIND is crlf, cr or open."""

import sys

LINES = [
    b"#include <acre/acre.h>",
    b'static const char *name = "caf\xe9"; /* \xff\xfe */',
    b"static void old(x) region x; { (void)name; deleteregion(x); }",
    b"void end(region r) { old(r); }",
]
END = {"crlf": b"\r\n", "cr": b"\r", "open": b"\n"}[sys.argv[2]]
text = END.join(LINES) + (b"" if sys.argv[2] == "open" else END)
open(sys.argv[1], "wb").write(text)
