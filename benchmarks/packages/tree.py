# SPDX-License-Identifier: MIT
"""One package in one kind: a copy of its source, configured, made and tested by its own commands,
and what can be compared of that."""

import glob
import os
import re
import shutil
import signal
import subprocess
import time

import toolchain

# The names of all kinds are of one length: some tests print the path of their tree.
KINDS = {
    "own": None,
    "inf": "",
    "col": "-facre-malloc=collected",
    "qua": "-facre-malloc=quarantine",
}
# What the tests run as: the kind of the tree, and settings of the environment.
RUNS = {
    "own": ("own", {}),
    "inf": ("inf", {"ACRE_VERIFY": "1"}),
    "col": ("col", {}),
    "poison": ("col", {"ACRE_HEAP": "growth=256K,poison"}),
    "qua": ("qua", {}),
}
TAIL = 60


class Step:
    """A command that was run: its exit status (None if it took too long), processor time, the most
    memory that one of its processes had, in KiB, and what it printed."""

    def __init__(self, status, cpu, wall, peak, output):
        self.status, self.cpu, self.wall, self.peak = status, cpu, wall, peak
        self.output = output

    def data(self):
        return {
            "status": self.status,
            "cpu": round(self.cpu, 2),
            "wall": round(self.wall, 2),
            "peak": self.peak,
        }

    def tail(self):
        return "\n".join(self.output.splitlines()[-TAIL:])


def run_step(command, directory, environment, log, limit):
    """Runs a shell command; its processor time is that of all processes that it waited for."""
    start = time.monotonic()
    with open(log, "wb") as output:
        process = subprocess.Popen(
            ["sh", "-c", command],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        used, status = None, None
        while used is None:
            found, code, usage = os.wait4(process.pid, os.WNOHANG)
            if found:
                used, status = usage, os.waitstatus_to_exitcode(code)
            elif time.monotonic() - start > limit:
                end_session(process.pid)
                _, _, used = os.wait4(process.pid, 0)
            else:
                time.sleep(0.05)
        end_session(process.pid)
    process.returncode = status if status is not None else -1
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    wall = time.monotonic() - start
    return Step(status, used.ru_utime + used.ru_stime, wall, used.ru_maxrss, text)


def end_session(leader):
    """Ends what a step has left running: a test may have started a server."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Tree(toolchain.Tree):
    """The package's copy of one kind, below the directory of work."""

    def __init__(self, package, kind, source, work, compilers, identity):
        acre_cc = " ".join(word for word in (compilers["acre"], KINDS[kind]) if word)
        cc = compilers["clang"] if kind == "own" else acre_cc
        super().__init__(kind, cc, source, os.path.join(work, package.name, kind), identity)
        self.package = package
        self.scratch = os.path.join(work, package.name, "tmp-" + kind)
        self.logs = os.path.join(work, package.name, "logs")
        self.compiler = self.cc.split()[0]

    def environment(self, settings=()):
        """The environment of a step: nothing of the caller's but where programs are, and how many
        jobs may run at a time."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": self.scratch,
            "TMPDIR": self.scratch,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "USER": "root",
            "SHELL": "/bin/sh",
            "CC": self.cc,
            "CFLAGS": "-O2",
            "TREE": self.directory,
            "JOBS": os.environ.get("JOBS", "2"),
            "GNUMAKEFLAGS": "-Otarget",  # the output of each job stays together
            **dict(settings),
        }

    def step(self, name, command, settings=(), limit=900):
        os.makedirs(self.logs, exist_ok=True)
        directory = self.path(self.package.below)
        log = os.path.join(self.logs, f"{self.kind}-{name}.log")
        return run_step(command, directory, self.environment(settings), log, limit)

    def clear_scratch(self):
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)

    def prepare(self, unneeded=()):
        """Copies the source.  All files get one time: a Debian patch must not make the package
        generate files again that it comes with."""
        super().prepare(unneeded)
        self.clear_scratch()
        when = time.time() - 3600
        for directory, _, files in os.walk(self.directory):
            for name in files:
                os.utime(os.path.join(directory, name), (when, when), follow_symlinks=False)

    def build(self):
        """Configures and makes.  Returns the steps by name, up to the first that failed."""
        steps = {}
        self.prepare()
        for name in ("configure", "build"):
            command = getattr(self.package, name)
            if command:
                steps[name] = self.step(name, command)
                if steps[name].status != 0:
                    break
        return steps

    def test(self, run):
        """Runs the package's tests.  Returns the step and the result of each test."""
        for path in glob.glob(self.path("**", "*.trs"), recursive=True):
            os.unlink(path)
        self.clear_scratch()
        step = self.step("test-" + run, self.package.test, RUNS[run][1], self.package.limit)
        return step, self.package.read(self, step)

    def plain(self, text):
        """A text without what differs between two trees."""
        for word, name in ((self.directory, "TREE"), (self.cc, "CC"), (self.compiler, "CC")):
            text = text.replace(word, name)
        return text

    def checks(self):
        """What configure found: the variables of its cache."""
        found = {}
        for path in glob.glob(self.path("**", "config.log"), recursive=True):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = self.plain(file.read())
            where = os.path.relpath(os.path.dirname(path), self.directory)
            for name, value in re.findall(r"^(\w+_cv_\w+)=(.*)$", text, re.M):
                found[name if where == "." else f"{where}: {name}"] = value
        return found

    def diagnostics(self, output):
        """Those of the build, which printed output, without what differs between two trees."""
        return sorted(
            line
            for line in self.plain(output).splitlines()
            if re.search(r"\b(warning|error|fatal)(:| #)|^acre", line)
        )

    def text_size(self):
        """Bytes of code in all object files."""
        objects = sorted(
            path
            for path in glob.glob(self.path("**", "*.o"), recursive=True, include_hidden=True)
            if os.path.isfile(path)
        )
        listing = subprocess.run(
            ["size", "-A", *objects], capture_output=True, text=True, check=False
        ).stdout
        return sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", listing, re.M))

    def said(self, step):
        """Lines that Acre's runtime has printed: on the terminal or in a log of a test."""
        texts = [step.output]
        for path in glob.glob(self.path("**", "*.log"), recursive=True):
            if os.path.basename(path) != "config.log" and os.path.isfile(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    texts.append(file.read())
        lines = {line[:300] for text in texts for line in re.findall("^acre: .*", text, re.M)}
        return sorted(lines)[:20]
