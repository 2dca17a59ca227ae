"""nginx as a program of the evaluation: `apache`.  What is measured is the server, under a load of a fixed size."""
import os
import shutil
import subprocess

import nginx_port
import nginx_site
import sources

VISITS = {"small": 300, "default": 30000}
CONNECTIONS = {"small": 2, "default": 8}
LINKED = ("-flto", "-fuse-ld", "-facre")  # options that the link wants too


class Program:
    """See programs.Program."""

    name = "apache"

    def __init__(self, work, clang):
        self.work = os.path.join(work, self.name)
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        source = sources.fetch(os.path.join(work, "sources"), nginx_port.PACKAGE)
        self.original = os.path.join(self.work, "original")
        shutil.copytree(source, self.original, symlinks=True)
        self.tree = nginx_port.port(source, os.path.join(self.work, "ported"))
        self.drive = os.path.join(self.work, "drive")
        nginx_port.run([clang, "-std=c17", "-O2", os.path.join(nginx_port.HERE, "drive.c"), "-o", self.drive], self.work)
        self.unmodified = os.path.join(self.work, "unmodified")
        self.complaint = self.build_original(clang, self.unmodified)

    def has_column(self, name):
        """A collector does not see the pointers in memory that nginx shares between processes or takes from malloc."""
        return name != "bdwgc"

    def own_files(self):
        files = (os.path.join(self.tree.directory, name) for name in self.tree.files(self.tree.directory))
        return sorted(path for path in files if not path.endswith(".original"))

    def build_original(self, compiler, output):
        try:
            nginx_port.build(self.original, output + ".build", compiler, is_ported=False)
        except nginx_port.NotBuilt as reason:
            return str(reason)
        shutil.copy(os.path.join(output + ".build", "nginx"), output)
        return None

    def build(self, mode, output):
        """Returns what the compiler said if it failed, else null."""
        if mode.name == "own":
            return self.build_original(mode.compiler, output)
        libraries = [*(option for option in mode.options if option.startswith(LINKED)), *mode.libraries]
        try:
            nginx_port.build(self.tree.directory, output + ".build", mode.compiler, mode.options, libraries)
        except nginx_port.NotBuilt as reason:
            return str(reason)
        shutil.copy(os.path.join(output + ".build", "nginx"), output)
        return None

    def session(self, arguments, key, binary):
        """The command that runs arguments, which end in the binary, and the directory for it."""
        site = binary + ".site"
        nginx_site.lay(site)
        return [self.drive, "front.socket", "requests.txt", str(VISITS[key]), str(CONNECTIONS[key]), *arguments,
                *nginx_port.arguments(site)], site

    def said(self, directory, errors):
        """What the run wrote to standard error, which nginx makes its log."""
        with open(os.path.join(directory, "error.log"), encoding="utf-8", errors="replace") as file:
            return errors + file.read()

    def expected(self):
        command, site = self.session([self.unmodified], "small", self.unmodified)
        return subprocess.run(command, cwd=site, capture_output=True, check=False, timeout=300).stdout
