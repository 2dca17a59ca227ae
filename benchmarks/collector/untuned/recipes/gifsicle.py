# SPDX-License-Identifier: MIT
"""Gifsicle, animations: images, colour tables and buffers of lines, each from malloc."""

PACKAGE = "gifsicle"
BINARY = "src/gifsicle"
SCRIPT = (
    'logo="$(dirname "$0")/../logo1.gif"; "$0" -O3 --colors 24 --dither --resize 1800x1800 "$logo"'
    ' "$logo" "$logo" "$logo" "$logo" "$logo" "$logo" "$logo" -o out.gif && cksum out.gif'
)


def build(tree):
    tree.run("autoreconf", "-i")
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w", "--disable-gifview")
    tree.make()


def prepare(directory):
    pass
