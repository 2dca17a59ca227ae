# SPDX-License-Identifier: MIT
"""nginx as a program of the evaluation: `apache`.  What is measured is the server, under a load
of a fixed size."""

import os
import re
import shutil
import socket
import subprocess
import time

import nginx_port
import nginx_site
import sources

VISITS = {"small": 300, "default": 30000}
CONNECTIONS = {"small": 2, "default": 8}
WRK_SECONDS = 5
SECONDS_TO_START = 1
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
        load = os.path.join(nginx_port.HERE, "drive.c")
        nginx_port.run([clang, "-std=c17", "-O2", load, "-o", self.drive], self.work)
        self.unmodified = os.path.join(self.work, "unmodified")
        complaint = self.build_original(clang, self.unmodified)
        if complaint:
            raise nginx_port.NotBuilt(complaint)
        command, site = self.session([self.unmodified], "small", self.unmodified)
        self.answer = nginx_port.run(command, site).encode()

    def has_column(self, name):
        """A collector does not see the pointers in memory that nginx shares between processes or
        takes from malloc. The ports have no bindings to talloc and APR."""
        return name not in ("bdwgc", "talloc", "apr")

    def own_files(self):
        files = (
            os.path.join(self.tree.directory, name) for name in self.tree.files(self.tree.directory)
        )
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
        libraries = [
            *(option for option in mode.options if option.startswith(LINKED)),
            *mode.libraries,
        ]
        try:
            nginx_port.build(
                self.tree.directory, output + ".build", mode.compiler, mode.options, libraries
            )
        except nginx_port.NotBuilt as reason:
            return str(reason)
        shutil.copy(os.path.join(output + ".build", "nginx"), output)
        return None

    def session(self, arguments, key, binary):
        """The command that runs arguments, which end in the binary, and the directory for it."""
        site = binary + ".site"
        nginx_site.lay(site)
        return [
            self.drive,
            "front.socket",
            "requests.txt",
            str(VISITS[key]),
            str(CONNECTIONS[key]),
            *arguments,
            *nginx_port.arguments(site),
        ], site

    def said(self, directory, errors):
        """What the run wrote to standard error, which nginx makes its log."""
        with open(os.path.join(directory, "error.log"), encoding="utf-8", errors="replace") as file:
            return errors + file.read()

    def expected(self):
        return self.answer

    def throughput(self, binary, settings):
        """Requests per second that wrk counts of a small file, or null."""
        if not shutil.which("wrk"):
            return None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{probe.getsockname()[1]}"
        site = binary + ".site"
        nginx_site.lay(site, listen=f"listen {address};")
        environment = {**os.environ, **dict(setting.split("=", 1) for setting in settings)}
        server = subprocess.Popen([binary, *nginx_port.arguments(site)], cwd=site, env=environment)
        try:
            time.sleep(SECONDS_TO_START)
            done = subprocess.run(
                ["wrk", "-t1", "-c16", f"-d{WRK_SECONDS}s", f"http://{address}/page.html"],
                capture_output=True,
                text=True,
                check=False,
                timeout=10 * WRK_SECONDS,
            )
        finally:
            server.terminate()
            server.wait()
        rate = re.search(r"^Requests/sec:\s*([\d.]+)", done.stdout, re.M)
        return float(rate.group(1)) if rate else None
