# SPDX-License-Identifier: MIT
"""A client that sends more after the body of its request, while the backend works: the body is
taken to be complete once more, and the request is begun a second time."""

import contextlib
import time

from server import backend, rest_of

TITLE = "body that is complete twice (`proxy_ignore_client_abort`)"
FIXED = "1.1.2 (2011)"
COMMIT = "bfbbfc85df89"
NAMED = "block.* ngx_http_request_t"
CONFIGURATION = """
http {{
  access_log off;
  server {{
    listen 127.0.0.1:{port};
    root {directory}/pages;
    location /upload {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_ignore_client_abort on;
    }}
  }}
}}
"""
FILES = {}


def put_back(tree):
    tree.replace(
        "src/http/ngx_http_request_body.c",
        r"^        r->read_event_handler = ngx_http_block_reading;\n"
        r"(        rb->post_handler\(r\);\n    \}\n\n    return NGX_OK;)",
        r"\1",
    )


def mend(tree):
    """The Debian package has the fix."""


@contextlib.contextmanager
def surroundings():
    delays = [2.5]

    def handle(connection):
        connection.recv(4096)
        # The first connection, which the request forgets, is answered when the request is over.
        time.sleep(delays.pop() if delays else 0.3)
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\nfrom behind\n")

    with backend(handle) as port:
        yield {"behind": port}


def provoke(server):
    with server.connect() as client:
        client.settimeout(1)
        client.sendall(b"POST /upload HTTP/1.1\r\nHost: here\r\nContent-Length: 20\r\n\r\n")
        for _ in range(4):
            time.sleep(0.2)
            with contextlib.suppress(OSError):
                client.sendall(b"ten bytes\n")
        rest_of(client)
    for _ in range(20):
        server.ask("/index.html")
    time.sleep(2)
    return []
