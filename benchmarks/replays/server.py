# SPDX-License-Identifier: MIT
"""A running nginx, and what stands around it: clients, backends, a name server.

All is on 127.0.0.1, on ports that the system gives.
"""

import contextlib
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

from network import HOST, free_port

FRAME = """\
daemon off;
worker_processes 1;
user root;
pid {directory}/pid;
error_log {directory}/error.log notice;
events {{ worker_connections 128; }}
"""


class Broken(Exception):
    """A server that does not start, or a provocation that did not come about."""


def wait_for(condition, what, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Broken(what)
        time.sleep(0.02)


class Server:
    """A master with one worker.  configuration and environment: with {port}, {directory} and the
    given names."""

    def __init__(self, binary, configuration, files, environment, names):
        self.names = names
        self.directory = tempfile.mkdtemp(prefix="replay-")
        os.chmod(self.directory, 0o755)
        for name in ("pages", "logs"):
            os.makedirs(os.path.join(self.directory, name))
        for name, content in {"index.html": b"a page\n", **files}.items():
            with open(self.path("pages", name), "wb") as file:
                file.write(content)
        self.port = free_port()
        known = {"port": self.port, "directory": self.directory, **names}
        with open(self.path("conf"), "w", encoding="utf-8") as file:
            file.write(FRAME.format(**known) + configuration.format(**known))
        self.errors = open(self.path("stderr"), "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [binary, "-p", self.directory, "-c", "conf"],
            stderr=self.errors,
            env={
                **os.environ,
                **{name: word.format(**known) for name, word in environment.items()},
            },
        )

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def wait(self):
        """Until it takes connections."""
        wait_for(lambda: self.process.poll() is not None or self.is_up(), "it does not start")
        if self.process.poll() is not None:
            raise Broken(f"it ended with {self.process.returncode}: {self.said()[-2000:]}")

    def is_up(self):
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0

    def worker(self):
        """The process id of the worker."""
        master = self.process.pid
        with open(f"/proc/{master}/task/{master}/children", encoding="ascii") as file:
            return int(file.read().split()[-1])

    def said(self):
        """Its standard error, its log, and what sanitizers and Acre wrote beside these."""
        names = sorted(os.listdir(self.directory))
        names = [name for name in names if name.startswith(("stderr", "error.log", "found"))]
        texts = []
        for name in names:
            with open(self.path(name), encoding="utf-8", errors="replace") as file:
                texts.append(file.read())
        return "\n".join(texts)

    def deaths(self):
        """How each worker ended that has ended."""
        return re.findall(r"exited (?:on signal|with code) (\d+)", self.said())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.errors.close()

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def connect(self):
        connection = socket.create_connection((HOST, self.port))
        connection.settimeout(10)
        return connection

    def send(self, path, headers=""):
        """A connection on which a page has been asked for."""
        connection = self.connect()
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n{headers}\r\n".encode())
        return connection

    def ask(self, path, headers="Connection: close\r\n"):
        """All that is answered; what a broken connection gave before it broke."""
        try:
            with self.send(path, headers) as connection:
                return rest_of(connection)
        except OSError:
            return b""


def rest_of(connection):
    """What comes until the end of a connection, however it ends."""
    parts = []
    with contextlib.suppress(OSError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def body_of(answer):
    return answer.partition(b"\r\n\r\n")[2]


@contextlib.contextmanager
def backend(handle, port=None):
    """A server of TCP that calls handle(connection) in a thread for each connection; its port."""
    with socket.create_server((HOST, port or 0)) as listener:

        def serve(connection):
            with connection, contextlib.suppress(OSError):
                connection.settimeout(20)
                handle(connection)

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield listener.getsockname()[1]
        finally:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)


class Names:
    """A name server that answers only when it is told to."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((HOST, 0))
        self.port = self.socket.getsockname()[1]

    def question(self, seconds=10):
        """The next question: (its bytes, who asks, the name)."""
        if not select.select([self.socket], [], [], seconds)[0]:
            raise Broken("nobody asks for a name")
        data, client = self.socket.recvfrom(4096)
        labels, at = [], 12
        while data[at]:
            labels.append(data[at + 1 : at + 1 + data[at]].decode())
            at += 1 + data[at]
        return data[: at + 5], client, ".".join(labels)

    def answer(self, question, kind, content):
        data, client, _ = question
        header = data[:2] + struct.pack(">HHHHH", 0x8180, 1, 1, 0, 0)
        record = struct.pack(">HHHIH", 0xC00C, kind, 1, 60, len(content)) + content
        self.socket.sendto(header + data[12:] + record, client)

    def answer_alias(self, question, name):
        labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
        self.answer(question, 5, labels + b"\0")

    def answer_address(self, question):
        self.answer(question, 1, socket.inet_aton(HOST))
