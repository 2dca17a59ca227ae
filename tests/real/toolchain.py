"""Builds one real program twice, with plain clang and with acre-cc, and keeps what each compiler
said."""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

JOBS = 2


class Failed(Exception):
    """A claim of a test does not hold."""


def parse_options():
    """The command line of what builds real programs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--acre", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("program")
    options = parser.parse_args()
    options.acre, options.work = os.path.abspath(options.acre), os.path.abspath(options.work)
    return options


class Tree:
    """A private copy of a program's source and the compiler it is built with."""

    def __init__(self, kind, cc, source, directory, identity):
        self.kind, self.cc, self.source, self.directory = kind, cc, source, directory
        self.identity = identity  # changes when the compiler does
        self.log = []

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def is_current(self):
        try:
            with open(self.path(".acre-built"), encoding="utf-8") as file:
                stamp, _, log = file.read().partition("\n")
        except OSError:
            return False
        is_same = stamp == self.identity
        self.log = [log] if is_same else []
        return is_same

    def prepare(self, unneeded=()):
        shutil.rmtree(self.directory, ignore_errors=True)
        shutil.copytree(
            self.source, self.directory, symlinks=True, ignore=shutil.ignore_patterns(*unneeded)
        )

    def keep_generated(self, *names):
        """Makes what the package's own tools have generated newer than what it was made from,
        since those tools need not be there: these files and each Makefile.in."""
        for name in ("aclocal.m4", "configure", *names):
            os.utime(self.path(name))
        for directory, _, files in os.walk(self.directory):
            if "Makefile.in" in files:
                os.utime(os.path.join(directory, "Makefile.in"))

    def finish(self):
        with open(self.path(".acre-built"), "w", encoding="utf-8") as file:
            file.write(self.identity + "\n" + "".join(self.log))

    def run(self, *command, cwd=None, env=None):
        """Runs a step of the build; its stderr is what the compiler said."""
        # Files, not pipes: make cannot lock a pipe, and would mix the messages of its jobs.
        with tempfile.TemporaryFile("w+", errors="replace") as output, tempfile.TemporaryFile(
            "w+", errors="replace"
        ) as errors:
            done = subprocess.run(
                command,
                cwd=cwd or self.directory,
                stdout=output,
                stderr=errors,
                env={**os.environ, **(env or {})},
                check=False,
            )
            output.seek(0)
            errors.seek(0)
            said, complained = output.read(), errors.read()
        self.log.append(complained)
        if done.returncode:
            tail = "\n".join((said + complained).splitlines()[-30:])
            raise Failed(
                f"{self.kind}: {' '.join(command)[:300]}\nexit status {done.returncode}\n{tail}"
            )
        return said

    def make(self, *arguments, cwd=None):
        """make, with the output of each job kept together."""
        return self.run("make", f"-j{JOBS}", "-Otarget", *arguments, cwd=cwd)

    def compile(self, flags, sources, output, libraries=()):
        """Compiles C files two at a time, each once for the same flags, and links them."""
        suffix = hashlib.sha256(repr(flags).encode()).hexdigest()[:8]

        def compile_one(source):
            target = self.path(os.path.splitext(os.path.basename(source))[0] + f".{suffix}.o")
            if not os.path.exists(target):
                self.run(self.cc, *flags, "-c", source, "-o", target)
            return target

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            objects = list(pool.map(compile_one, sources))
        self.run(self.cc, *objects, "-o", output, *libraries)

    def warnings(self):
        """The diagnostics of the build, without what differs between two trees, sorted."""
        text = "".join(self.log).replace(self.directory, "TREE").replace(self.cc, "CC")
        return sorted(
            line for line in text.splitlines() if re.search(r"\b(warning|error|fatal):|^acre", line)
        )


def identity_of(*files):
    """A string that changes when one of the files does."""
    digest = hashlib.sha256()
    for path in files:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def host(name):
    """A program of ours that runs the real one with its memory in a region."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "hosts", name)


def run_program(command, cwd=None, stdin=None, env=None, timeout=300):
    """Runs a built program with the verifier on.  Returns (exit status, stdout, stderr) as
    bytes."""
    done = subprocess.run(
        command,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "ACRE_VERIFY": "1", **(env or {})},
    )
    return done.returncode, done.stdout, done.stderr


def expect_findings(errors, known):
    """Each line of Acre's on standard error is one that is known, and there is one."""
    lines = [line for line in errors.splitlines() if "acre" in line]
    others = [line for line in lines if not known.match(line)]
    if others or not lines:
        raise Failed("findings: " + "\n".join(others[:10] or ["none"]))


def first_difference(left, right):
    lines = zip(left.splitlines(), right.splitlines())
    for number, (one, other) in enumerate(lines, 1):
        if one != other:
            return f"line {number}: plain {one[:160]!r}, acre {other[:160]!r}"
    return f"{len(left.splitlines())} lines of plain, {len(right.splitlines())} of acre"


def expect_same(claim, plain, acre):
    """Two results of run_program agree in all they say."""
    for name, one, other in zip(("exit status", "stdout", "stderr"), plain, acre):
        if one != other:
            detail = (
                f"plain {one}, acre {other}\n{acre[2].decode(errors='replace')[-2000:]}"
                if name == "exit status"
                else first_difference(one, other)
            )
            raise Failed(f"{claim}: {name} differs: {detail}")


def expect_region_gone(claim, result, made):
    """A host ended well and left no region."""
    status, _, errors = result
    if status or not errors.endswith(f"{made} regions made, 0 left\n".encode()):
        raise Failed(f"{claim}: status {status}\n{errors.decode(errors='replace')[-3000:]}")


def expect_no_new_warnings(plain, acre):
    old, new = plain.warnings(), []
    for line in acre.warnings():
        if line in old:
            old.remove(line)
        else:
            new.append(line)
    if new:
        raise Failed(f"acre-cc said {len(new)} things that clang does not:\n" + "\n".join(new[:20]))
