"""nginx as it is, for what is asked of its source, and with its pools in regions; tests/ports runs
a port of it."""

import os
import re
import signal
import socket
import subprocess
import tempfile
import time

from toolchain import Failed

PACKAGE = "nginx"
POOLS = "nginx"


def build(tree):
    tree.run(
        "./configure",
        f"--with-cc={tree.cc}",
        "--with-cc-opt=-O1 -w",
        "--without-http_rewrite_module",
        "--without-http_gzip_module",
    )
    tree.make()


CONFIGURATION = """
daemon off;
master_process off;
pid {directory}/pid;
error_log {directory}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off;
  server {{
    listen unix:{directory}/socket;
    location / {{ root {directory}/pages; autoindex on; }}
    location /again/ {{ proxy_pass http://unix:{directory}/socket:/; }}
    location /parts/ {{ alias {directory}/pages/; ssi on; }}
  }}
}}
"""
PAGES = {
    "index.html": b"a page\n",
    "large": bytes(range(256)) * 2000,
    "parts": b'<!--#include virtual="/index.html" --> and <!--#echo var="uri" -->\n',
}
REQUESTS = (
    "GET / HTTP/1.1",
    "GET /large HTTP/1.1",
    "GET /again/large HTTP/1.1",
    "GET /again/again/index.html HTTP/1.1",
    "GET /parts/parts HTTP/1.1",
    "GET /missing HTTP/1.1",
    "POST / HTTP/1.1",
    "GET /" + "a" * 9000 + " HTTP/1.1",
    "nonsense",
)


def ask(path, lines):
    """What the server sends for requests in one connection, without what tells the time."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(path)
        for i, line in enumerate(lines):
            last = "Connection: close\r\n" if i + 1 == len(lines) else ""
            connection.sendall(f"{line}\r\nHost: here\r\n{last}\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return re.sub(rb"(Date|Last-Modified|ETag): [^\r]*", rb"\1", answer)


def serve(tree, rounds):
    """The answers of a server, and what it wrote to stderr."""
    with tempfile.TemporaryDirectory() as directory:
        for name in ("pages", "logs"):
            os.makedirs(os.path.join(directory, name))
        for name, content in PAGES.items():
            with open(os.path.join(directory, "pages", name), "wb") as file:
                file.write(content)
        with open(os.path.join(directory, "conf"), "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(directory=directory))
        os.chmod(directory, 0o755)
        errors = open(os.path.join(directory, "stderr"), "w+", encoding="utf-8")
        with errors, subprocess.Popen(
            [tree.path("objs", "nginx"), "-p", directory, "-c", "conf"],
            stderr=errors,
            env={**os.environ, "ACRE_VERIFY": "1"},
        ) as server:
            path = os.path.join(directory, "socket")
            while not os.path.exists(path) and server.poll() is None:
                time.sleep(0.05)
            try:
                answers = [ask(path, [line]) for line in REQUESTS]
                for _ in range(rounds):
                    answers.append(ask(path, REQUESTS[:6]))
            finally:
                server.send_signal(signal.SIGQUIT)
            if server.wait(60) != 0:
                raise Failed(f"{tree.kind}: the server ended with {server.returncode}")
            # A server's standard error becomes its log, once that is open.
            errors.seek(0)
            with open(os.path.join(directory, "error.log"), encoding="utf-8") as log:
                return answers, errors.read() + log.read()


def check_pools(plain, acre):
    wanted, _ = serve(plain, 20)
    got, errors = serve(acre, 20)
    for i, (one, other) in enumerate(zip(wanted, got)):
        if one != other:
            raise Failed(f"answer {i} differs: {one[:300]!r} and {other[:300]!r}")
    yield f"{len(got)} connections are answered as with plain clang"
    if "fatal" in errors or "current_request" not in errors:
        raise Failed("findings:\n" + errors[-3000:])
    yield "pointers that requests leave behind are told, and none is used"
