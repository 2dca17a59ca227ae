# SPDX-License-Identifier: MIT
"""grpc: an answer that comes before the request was sent makes nginx try the next backend without
beginning anew; what it knows of the connection lies in the pool of the one that was closed."""

import contextlib
import os
import signal
import socket
import time

from server import HOST, backend, rest_of

TITLE = "grpc: bad answer before the request was sent"
FIXED = "1.29.5 (2026)"
COMMIT = "d7a249470b78"
NAMED = "field 'connection' of ngx_http_grpc_ctx_t"
CONFIGURATION = """
http {{
  access_log off;
  upstream two {{ server 127.0.0.1:{early}; server 127.0.0.1:{behind} backup; }}
  server {{
    listen 127.0.0.1:{port};
    root {directory}/pages;
    location /call {{
      grpc_pass two;
      grpc_next_upstream error timeout invalid_header;
      grpc_read_timeout 3s;
    }}
  }}
}}
"""
FILES = {}


def put_back(tree):
    """The version of the Debian package has the bug."""


def mend(tree):
    name = "src/http/ngx_http_upstream.c"
    tree.replace(
        "src/http/ngx_http_upstream.h",
        r"(unsigned +)(header_sent:1;)",
        r"\1\2\n    \1answered:1;",
    )
    tree.replace(name, r"^(    if \(u->request_sent)\) \{", r"\1 || u->answered) {")
    tree.replace(name, r"^    u->request_sent = 0;", r"    u->answered = 0;\n\g<0>")
    tree.replace(name, r"^        u->buffer\.last \+= n;", r"        u->answered = 1;\n\g<0>")


@contextlib.contextmanager
def surroundings():
    # A listener whose queue is full: a connection to it is not made before room is made there.
    early = socket.socket()
    early.bind((HOST, 0))
    early.listen(0)
    port = early.getsockname()[1]
    fillers = []
    for _ in range(2):
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex((HOST, port))
        fillers.append(filler)

    def handle(connection):
        connection.recv(4096)
        time.sleep(0.5)

    with early, backend(handle) as behind:
        yield {"early": port, "listener": early, "fillers": fillers, "behind": behind}
    for filler in fillers:
        filler.close()


def provoke(server):
    """The worker is stopped while its connection is made and answered, so that it finds both to
    have happened when it looks, and reads before it writes."""
    listener, fillers = server.names["listener"], server.names["fillers"]
    client = server.send("/call", "Connection: close\r\n")
    time.sleep(0.3)
    worker = server.worker()
    os.kill(worker, signal.SIGSTOP)
    try:
        for filler in fillers:
            filler.close()
        listener.settimeout(8)
        for _ in range(8):
            connection, _ = listener.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.setblocking(False)
            with contextlib.suppress(OSError):
                if connection.recv(1) == b"":
                    connection.close()
                    continue
            break
        time.sleep(0.2)
    finally:
        os.kill(worker, signal.SIGCONT)
    with client, connection:
        return [rest_of(client).partition(b"\r\n")[0]]
