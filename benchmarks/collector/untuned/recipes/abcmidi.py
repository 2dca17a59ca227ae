# SPDX-License-Identifier: MIT
"""abc2midi, music from text: notes in arrays that grow, a queue of notes that sound."""

import random

import loads

PACKAGE = "abcmidi"
BINARY = "abc2midi"
SCRIPT = 'rm -f *.mid; "$0" tunes.abc >/dev/null && cat *.mid | cksum'
SOURCES = ("parseabc", "store", "genmidi", "queues", "parser2", "midifile", "stresspat")


def build(tree):
    sources = [tree.path(name + ".c") for name in (*SOURCES, "music_utils")]
    flags = ("-O2", "-w", "-DANSILIBS", "-DHAVE_STDLIB_H")
    tree.compile(flags, sources, tree.path(BINARY), ["-lm"])


def tunes(count):
    choose = random.Random(3)
    for number in range(1, count + 1):
        yield f"X:{number}\nT:tune {number}\nM:4/4\nL:1/8\nQ:1/4=120\nK:G"
        for _ in range(64):
            bars = ("".join(choose.choice("GABcdefgz") for _ in range(8)) for _ in range(4))
            yield "|".join(bars) + "|"
        yield ""


def prepare(directory):
    loads.write(directory, "tunes.abc", tunes(250))
