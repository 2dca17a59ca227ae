"""A server that is run and spoken to."""

import os
import re
import resource
import shutil
import signal
import subprocess
import time

PATIENCE = 20


class Failed(Exception):
    """A claim does not hold."""


def expect(is_so, claim):
    if not is_so:
        raise Failed(claim)


def expect_equal(given, wanted, claim):
    if given != wanted:
        raise Failed(f"{claim}: {str(given)[:300]!r}, not {str(wanted)[:300]!r}")


class Program:
    """A version of a server, and where its files are."""

    def __init__(self, binary, environment, version, directory):
        self.binary, self.environment, self.version, self.directory = (
            binary,
            environment,
            version,
            directory,
        )
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)

    def start(self, *arguments, descriptors=None):
        return Running(self, arguments, descriptors)

    def run(self, *arguments, patience=PATIENCE):
        return subprocess.run(
            [self.binary, *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=patience,
        )


class Running:
    """A server that has said "NAME: port N ..." on its standard output."""

    def __init__(self, program, arguments, descriptors):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.expected = r"^$"  # what it may say on stderr when it ends
        self.errors = os.path.join(program.directory, "stderr")
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [program.binary, *arguments],
                env=program.environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=program.directory,
                preexec_fn=limit if descriptors else None,
            )
        self.greeting = self.process.stdout.readline()
        self.ports = [int(port) for port in re.findall(r"port (\d+)", self.greeting)]
        if not self.ports:
            self.process.wait()
            raise Failed(f"does not start: {self.error_text()}")
        self.port = self.ports[0]

    def error_text(self):
        """What it has said on stderr.  The file is opened for each look: had this process a
        descriptor in common with the server, to seek in it would move where the server writes."""
        with open(self.errors, encoding="utf-8", errors="replace") as errors:
            return errors.read()

    def signal(self, number):
        self.process.send_signal(number)

    def footprint(self):
        """{"data": bytes, "reserved": bytes, "resident": bytes}"""
        before = self.error_text()
        self.signal(signal.SIGUSR1)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = self.error_text()[len(before) :]
            said = re.match(r".*memory: data (\d+) reserved (\d+) resident (\d+)\n", text, re.S)
            if said:
                return dict(zip(("data", "reserved", "resident"), map(int, said.groups())))
            time.sleep(0.005)
        raise Failed("SIGUSR1 has no answer")

    def wait(self):
        """Returns the exit status when it has ended by itself."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failed(f"does not end: {self.error_text()}") from None
        self.process.stdout.close()
        return status

    def stop(self):
        self.signal(signal.SIGTERM)
        status, errors = self.wait(), self.error_text()
        errors = re.sub(r".*: memory: .*\n", "", errors)
        if status or not re.fullmatch(self.expected, errors):
            raise Failed(f"ends with status {status}: {errors[-3000:]}")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.stop()
        elif self.process.poll() is None:
            self.process.kill()
            self.process.wait()
