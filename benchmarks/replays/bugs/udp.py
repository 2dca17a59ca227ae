# SPDX-License-Identifier: MIT
"""stream: the datagram that ends a session of UDP is followed by a write to what the connection
pointed to, which lay in the pool of the session."""

import contextlib
import socket
import time

from server import HOST, free_port

TITLE = "stream: datagram that ends its own session"
FIXED = "1.15.7 (2018)"
COMMIT = "7e3041b79f5b"
NAMED = "ngx_udp_connection_t"
CONFIGURATION = """
http {{
  access_log off;
  server {{ listen 127.0.0.1:{port}; root {directory}/pages; }}
}}
stream {{
  server {{
    listen 127.0.0.1:{udp} udp;
    proxy_pass 127.0.0.1:{behind};
    proxy_requests 2;
    proxy_responses 0;
  }}
}}
"""
FILES = {}


def put_back(tree):
    name = "src/event/ngx_event_udp.c"
    tree.replace(name, r"if \(c->udp\) \{\n( *c->udp->buffer = NULL;\n) *\}\n", r"\1")
    # Where the session ends by itself, at the cleanup of its pool alone, as it did then.
    tree.replace(
        "src/stream/ngx_stream_proxy_module.c",
        r"if \(pscf->requests\) \{\n *ngx_delete_udp_connection\(c\);\n *\}\n",
        "",
    )
    tree.replace(name, r"(ngx_rbtree_delete\(&c->listening.*\n)\n *c->udp = NULL;\n", r"\1")


def mend(tree):
    """The Debian package has the fix."""


@contextlib.contextmanager
def surroundings():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as behind:
        behind.bind((HOST, 0))
        yield {"udp": free_port(socket.SOCK_DGRAM), "behind": behind.getsockname()[1]}


def provoke(server):
    for _ in range(5):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.connect((HOST, server.names["udp"]))
            for _ in range(2):
                client.send(b"datagram")
                time.sleep(0.1)
    return []
