# SPDX-License-Identifier: MIT
"""A foreign program: a Debian source package, built as it is and as a port, in the form that
measure.py takes.

Each column has a tree of its own below the directory of work: a copy of the source, changed by the
recipe's rules if the column is of the port, configured and made with the column's compiler.
"""

import glob
import importlib
import os
import re
import shutil
import subprocess

import patch
import sources
import toolchain

FLAGS = ("-O2", "-w")  # the warnings of the programs' own code are not ours


def recipe_of(name):
    return importlib.import_module("recipes." + name)


def compiler_files(mode):
    """What decides how a mode compiles."""
    root = os.path.dirname(os.path.dirname(mode.compiler))
    parts = (("lib", "acre", "AcrePlugin.so"), ("lib", "libacre.a"))
    beside = [os.path.join(root, *part) for part in parts]
    return [mode.compiler, *filter(os.path.exists, beside)]


class Program:
    """See programs.Program.  Is the port of the recipe if is_ported, else the program as it is."""

    def __init__(self, name, is_ported, options):
        self.recipe, self.is_ported, self.options = recipe_of(name), is_ported, options
        self.name = name + "-ported" if is_ported else name
        self.work = os.path.join(options.work, self.name)
        self.load = os.path.join(options.work, "loads", name)
        self.source = sources.fetch(os.path.join(options.work, "sources"), self.recipe.PACKAGE)
        self.changes = None
        os.makedirs(self.work, exist_ok=True)
        shutil.rmtree(self.load, ignore_errors=True)
        os.makedirs(self.load)
        self.recipe.write_loads(self.load)

    def tree(self, mode):
        """The tree of a mode, built."""
        is_ported = self.is_ported and mode.name != "own"
        port = importlib.import_module("recipes." + self.recipe.PORT) if is_ported else None
        files = [toolchain.__file__, __file__, self.recipe.__file__, *compiler_files(mode)]
        files += [patch.__file__, port.__file__, *port.FILES] if port else []
        directory = os.path.join(self.work, "tree-" + mode.name)
        built = toolchain.Tree(
            mode.name, mode.compiler, self.source, directory, toolchain.identity_of(*files)
        )
        if not built.is_current():
            if port:
                changed = patch.Tree(self.source, directory, port.KINDS)
                port.port(changed)
                self.changes = changed.changes()
            else:
                built.prepare()
            self.recipe.build(built, [*FLAGS, *mode.options])
            built.finish()
        return built

    def build(self, mode, output):
        """Returns what the compiler said if it failed, else null."""
        try:
            shutil.copy(self.tree(mode).path(self.recipe.BINARY), output)
        except (toolchain.Failed, patch.Mismatch) as failure:
            return str(failure)
        return None

    def session(self, arguments, key, binary):
        """The command that runs arguments, which end in the binary, and the directory for it."""
        tree = os.path.join(self.work, "tree-own")
        words = [word.replace("{tree}", tree) for word in self.recipe.RUNS[key]]
        settings = [word.replace("{tree}", tree) for word in self.recipe.SETTINGS]
        command = [*(["/usr/bin/env", *settings] if settings else []), *arguments, *words]
        if key == "small" and arguments == [binary]:
            shown = '"$@" && cat /dev/null ' + " ".join(self.recipe.OUTPUTS)
            command = ["/bin/sh", "-c", shown, "sh", *command]
        return command, self.load

    def said(self, directory, errors):
        return errors

    def throughput(self, binary, settings):
        return None

    def expected(self):
        command, directory = self.session(
            [os.path.join(self.work, "own")], "small", os.path.join(self.work, "own")
        )
        return subprocess.run(command, cwd=directory, capture_output=True, check=False).stdout

    def own_files(self):
        """The program's own sources, as its recipe names them."""
        return sorted(
            path
            for pattern in self.recipe.FILES
            for path in glob.glob(os.path.join(self.source, pattern))
        )

    def text_size(self, mode):
        """Bytes of code in all object files.  What units share is linked once."""
        objects = glob.glob(self.tree(mode).path("**", "*.o"), recursive=True)
        listing = subprocess.run(
            ["size", "-A", *sorted(objects)], capture_output=True, text=True, check=True
        ).stdout
        sections = re.findall(r"^(\.text\S*)\s+(\d+)", listing, re.M)
        shared = {name: int(size) for name, size in sections if ".acre." in name}
        own = sum(int(size) for name, size in sections if ".acre." not in name)
        return own + sum(shared.values())
