# SPDX-License-Identifier: MIT
"""CVE-2026-56434: a subrequest of SSI is posted twice where the main request, unbuffered, has
something postponed; it is then finalized twice, and the main request is freed while it is used."""

import contextlib
import time

from server import backend, body_of

TITLE = "CVE-2026-56434: subrequest of SSI that is posted twice"
FIXED = "1.31.3 (2026)"
COMMIT = "700dc9e0e750"
NAMED = "local variable"
NOT_TOLD = (
    "not told. What still refers to the request is a local variable, `mr` of"
    " `ngx_http_terminate_request`. A frame keeps the memory that it leads to until it is left, so"
    " the function reads and writes the request that it means; what frames keep is not said."
)
STOPPED = "not needed: kept for the frame"
CONFIGURATION = """
http {{
  access_log off;
  server {{
    listen 127.0.0.1:{port};
    root {directory}/pages;
    location /main {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_buffering off;
      ssi on;
    }}
  }}
}}
"""
FILES = {"a.html": b"first part\n", "b.html": b"second part\n"}
PARTS = (
    b'<!--#include virtual="/a.html" -->',
    b'<!--#include virtual="/b.html" -->',
    b"the end\n",
)


def put_back(tree):
    """The version of the Debian package has the bug."""


def mend(tree):
    tree.replace(
        "src/http/ngx_http_request.c",
        r"(?s)(ngx_http_post_request\(ngx_http_request_t \*r, ngx_http_posted_request_t \*pr\)\n"
        r"\{\n.*?\n)(\n    if \(pr == NULL\))",
        r"\1\n    for (p = &r->main->posted_requests; *p; p = &(*p)->next) {\n"
        r"        if ((*p)->request == r) return NGX_OK;\n    }\n\2",
    )


@contextlib.contextmanager
def surroundings():
    def handle(connection):
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n")
        for part in PARTS:
            connection.sendall(part)
            time.sleep(0.4)

    with backend(handle) as port:
        yield {"behind": port}


def provoke(server):
    return [body_of(server.ask("/main", ""))]
