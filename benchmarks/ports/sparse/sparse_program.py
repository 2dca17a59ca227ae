# SPDX-License-Identifier: MIT
"""sparse as a program of the evaluation: `rc`.  It checks its own sources and those of Lua, all
in one process."""

import os
import shutil
import subprocess

import sources
import sparse_port

OTHER = "lua5.4"
LEFT_OUT = (
    "lvm.c",
)  # most of sparse's time would go to one function with hundreds of labels, and no memory in it
SMALL = (
    "allocate",
    "char",
    "cse",
    "dominate",
    "expand",
    "flow",
    "memops",
    "ptrlist",
    "scope",
    "ssa",
    "tokenize",
)


class Program:
    """See programs.Program."""

    name = "rc"

    def __init__(self, work, clang):
        self.work = os.path.join(work, self.name)
        shutil.rmtree(self.work, ignore_errors=True)
        cache = os.path.join(work, "sources")
        source, other = sources.fetch(cache, sparse_port.PACKAGE), sources.fetch(cache, OTHER)
        if not sparse_port.flags(source):
            raise sources.Unavailable("gcc is not installed")
        self.original = os.path.join(self.work, "original")
        shutil.copytree(source, self.original, symlinks=True)
        sparse_port.write_version(self.original)
        self.other = os.path.join(self.work, "lua")
        shutil.copytree(os.path.join(other, "src"), self.other, symlinks=True)
        # The package's own build makes this header.
        with open(
            os.path.join(self.other, "lua5.4-deb-multiarch.h"), "w", encoding="utf-8"
        ) as file:
            file.write('#define DEB_HOST_MULTIARCH "none"\n')
        self.tree = sparse_port.port(source, os.path.join(self.work, "ported"))
        self.unmodified = os.path.join(self.work, "unmodified")
        self.complaint = self.build_one(
            self.original, clang, (), (), self.unmodified, is_blobs=True
        )

    def has_column(self, name):
        """A collector does not see the pointers that sparse keeps in memory from malloc.
        The ports have no bindings to talloc and APR."""
        return name not in ("bdwgc", "talloc", "apr")

    def own_files(self):
        return sorted(self.tree.path(name) for name in self.tree.files(self.tree.directory))

    def build_one(self, directory, compiler, options, libraries, output, is_blobs=False):
        files = [
            *sparse_port.library_sources(directory, is_blobs),
            os.path.join(directory, "sparse.c"),
        ]
        command = [
            compiler,
            "-O2",
            *sparse_port.flags(directory),
            *options,
            *files,
            "-o",
            output,
            *libraries,
        ]
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        return done.stderr if done.returncode else None

    def build(self, mode, output):
        """Returns what the compiler said if it failed, else null."""
        if mode.name == "own":
            return self.build_one(self.original, mode.compiler, (), (), output, is_blobs=True)
        return self.build_one(
            self.tree.directory, mode.compiler, mode.options, mode.libraries, output
        )

    def checked(self, key):
        if key == "small":
            return [name + ".c" for name in SMALL]
        others = sorted(
            name for name in os.listdir(self.other) if name.endswith(".c") and name not in LEFT_OUT
        )
        own = [os.path.basename(path) for path in sparse_port.checked_sources(self.original)]
        return own + [os.path.join(self.other, name) for name in others]

    def session(self, arguments, key, binary):
        """The command that runs arguments, which end in the binary, and the directory for it."""
        command = [*arguments, *sparse_port.ARGUMENTS, "-v", "-Wall", *self.checked(key)]
        if key == "small" and arguments == [binary]:
            # What sparse has to say goes to standard error.
            command = ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", *command]
        return command, self.original

    def said(self, directory, errors):
        return errors

    def throughput(self, binary, settings):
        return None

    def expected(self):
        if self.complaint:
            return None
        said = b""
        for name in self.checked("small"):
            command = [self.unmodified, *sparse_port.ARGUMENTS, "-v", "-Wall", name]
            said += subprocess.run(
                command, cwd=self.original, capture_output=True, check=False
            ).stderr
        return said
