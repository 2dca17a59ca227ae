# SPDX-License-Identifier: MIT
"""Dangling pointers, planted into the ported programs: one module for each program.

plant(tree) changes the ported source; PLANTS lists what was planted.  All mistakes of a program are
in one binary, each behind a switch (planted.h), so that the same program without it is the twin
that must not be refused.
"""

import dataclasses
import os
import shutil

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "planted.h")


@dataclasses.dataclass
class Plant:
    """A dangling pointer.  input: what is in the files that its run reads, by name.

    A report must match: name, how it names the place; refers, the type and the place of
    allocation of what it points to; stored, where it was stored, if the build has -facre-sites
    and that is more than the name says.
    """

    name: str
    place: str
    command: tuple
    input: dict
    named: str
    refers: str
    stored: str


def include(tree, *names, before="#include "):
    """Puts the header into sources, before the first line that begins so."""
    for name in names:
        shutil.copy(HEADER, os.path.dirname(tree.path(name)))
        tree.replace(name, rf"(?s)\A(.*?\n)(?={before})", '\\1#include "planted.h"\n')
