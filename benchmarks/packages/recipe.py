# SPDX-License-Identifier: MIT
"""What an entry of the tables is, and the usual ways in which packages are built and tested."""

import dataclasses

import readers


@dataclasses.dataclass(frozen=True)
class Package:
    """Commands are the shell's, in the directory `below` the tree; $CC and $CFLAGS are set.  Null
    for a step that the package does not have.  `explained` gives, by run, why tests differ though
    Acre is not wrong."""

    name: str
    source: str
    configure: str | None
    build: str | None
    test: str
    read: object = readers.automake
    below: str = ""
    limit: int = 900
    without: tuple = ()
    explained: dict = dataclasses.field(default_factory=dict)
    found: tuple = ()


# The tools that would generate documents are not needed.
TOOLS = "MAKEINFO=true"


def gnu(name, *options, source=None, **more):
    """A package with a configure script of Autoconf's."""
    words = " ".join(options)
    # The archives of some packages lose the mode of scripts.
    how = {
        "configure": f'sh ./configure CC="$CC" CFLAGS=-O2 {words}',
        "build": f"make -j$JOBS {TOOLS}",
        "test": f"make -k -j$JOBS check {TOOLS}",
        **more,
    }
    return Package(name, source or name, **how)


def cmake(name, *options, source=None, **more):
    words = " ".join(options)
    how = {
        "configure": f"cmake -S . -B made -DCMAKE_BUILD_TYPE=None {words}",
        "build": "make -C made -j$JOBS",
        "test": "ctest --test-dir made -j$JOBS",
        "read": readers.ctest,
        **more,
    }
    return Package(name, source or name, **how)


def made(name, test, *, source=None, **more):
    """A package with a Makefile only."""
    how = {"configure": None, "build": 'make -j$JOBS CC="$CC"', "read": readers.printed(), **more}
    return Package(name, source or name, test=test, **how)


def tries(*commands):
    """A test of commands: of each its exit status is printed, for readers.tries."""
    return "\n".join(
        f"( {command} ) >tried.out 2>&1; echo '{command} gave' $?; tail -n 5 tried.out"
        for command in commands
    )


NO_NLS = "--disable-nls"
