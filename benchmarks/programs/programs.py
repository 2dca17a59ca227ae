# SPDX-License-Identifier: MIT
"""The programs of the evaluation and how each mode of memory.h is built.

A directory with a run.txt is a program.  Its lines, "key: words":

  also: DIRECTORY...       its C files are part of the program
  libraries: OPTION...     what to link
  small: ARGUMENT...       a run for tests; its output is expected.txt
  default: ARGUMENT...     a run for measurements, of a second or two with malloc
  agree: ARGUMENT...       a run whose output is the same in every mode
  refused: ARGUMENT...     a run that must end with a message and a status that is not 0; there may
                           be several

Arguments are relative to the program's directory, which is where it runs.
"""

import dataclasses
import glob
import importlib
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FLAGS = ("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror")


@dataclasses.dataclass(frozen=True)
class Mode:
    """A column: which compiler, its options, what to link."""

    name: str
    compiler: str
    options: tuple = ()
    libraries: tuple = ()


def modes(acre, clang):
    """All modes by name.  acre is a build directory, or where Acre is installed."""
    acre_cc = os.path.join(acre, "bin", "acre-cc")
    regions = (f"-I{os.path.join(ROOT, 'include')}",), (
        os.path.join(acre, "lib", "libacre.a"),
        "-lpthread",
    )
    every = (
        Mode("malloc", clang, ("-DMEMORY_MALLOC",)),
        Mode("collected", clang, ("-DMEMORY_COLLECTED",), ("-lgc",)),
        Mode("talloc", clang, ("-DMEMORY_TALLOC",), ("-ltalloc",)),
        Mode("apr", clang, ("-DMEMORY_APR", "-I/usr/include/apr-1.0"), ("-lapr-1",)),
        Mode("regions", clang, *regions),
        Mode("counted", acre_cc),
        Mode("unannotated", acre_cc, ("-DMEMORY_UNANNOTATED",)),
        Mode(
            "sanitized",
            clang,
            ("-DMEMORY_MALLOC", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
        ),
        Mode("gcc", "gcc", ("-DMEMORY_MALLOC",)),
    )
    return {mode.name: mode for mode in every}


def is_available(mode):
    """Whether a program that does nothing can be built in this mode: the compiler and the
    libraries are there."""
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "empty.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include "memory.h"\nint main(void) { memory_start(); return 0; }\n')
        sources = [source, os.path.join(HERE, "memory", "memory.c")]
        command = build_command(mode, sources, os.path.join(directory, "empty"))
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def build_command(mode, sources, output, libraries=()):
    directories = sorted(
        {os.path.dirname(source) for source in sources} | {os.path.join(HERE, "memory")}
    )
    includes = [f"-I{directory}" for directory in directories]
    return [
        mode.compiler,
        *FLAGS,
        *mode.options,
        *includes,
        *sources,
        "-o",
        output,
        *mode.libraries,
        *libraries,
    ]


class Program:
    def __init__(self, name):
        self.name, self.directory = name, os.path.join(HERE, name)
        self.keys = {}
        with open(os.path.join(self.directory, "run.txt"), encoding="utf-8") as file:
            for line in filter(str.strip, file):
                key, _, words = line.partition(":")
                self.keys.setdefault(key.strip(), []).append(shlex.split(words))

    def words(self, key):
        """The words of the key's only line, none if there is no such line."""
        return self.keys.get(key, [[]])[0]

    def has_column(self, name):
        """All but the one for programs that had an allocator of their own, and those that take
        more than 300 seconds."""
        return name != "own" and name not in self.words("endless")

    def session(self, arguments, key, binary):
        """The command that runs arguments, which end in the binary, and the directory for it."""
        return [*arguments, *self.words(key)], self.directory

    def said(self, directory, errors):
        """What the run wrote to standard error."""
        return errors

    def throughput(self, binary, settings):
        """Requests per second, of a server."""
        return None

    def own_files(self):
        return sorted(
            path for end in "ch" for path in glob.glob(os.path.join(self.directory, f"*.{end}"))
        )

    def sources(self):
        directories = [
            self.directory,
            *(os.path.join(self.directory, also) for also in self.words("also")),
        ]
        files = [
            path
            for directory in directories
            for path in sorted(glob.glob(os.path.join(directory, "*.c")))
        ]
        return [os.path.normpath(path) for path in files] + [
            os.path.join(HERE, "memory", "memory.c")
        ]

    def build(self, mode, output):
        """Returns what the compiler said if it failed, else null."""
        command = build_command(mode, self.sources(), output, self.words("libraries"))
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        return f"{shlex.join(command)}\n{done.stderr}" if done.returncode else None

    def expected(self):
        with open(os.path.join(self.directory, "expected.txt"), "rb") as file:
            return file.read()


def names():
    """Those whose sources are here."""
    return sorted(
        os.path.basename(os.path.dirname(path))
        for path in glob.glob(os.path.join(HERE, "*", "run.txt"))
    )


# Real programs, fetched and ported by scripts: the directory of benchmarks/ports that is the
# program of this name.
PORTS = {"apache": "nginx", "rc": "sparse"}


def ported(name, work, clang):
    """A program of PORTS, fetched and ported below work.  Raises sources.Unavailable if that
    cannot be."""
    directory = PORTS[name]
    ports = os.path.join(os.path.dirname(HERE), "ports")
    sys.path[:0] = [os.path.join(ports, directory), ports, os.path.join(ROOT, "tests", "real")]
    return importlib.import_module(directory + "_program").Program(work, clang)
