# SPDX-License-Identifier: MIT
"""geo with ranges: an entry whose ranges were all deleted again stays a pointer to a list in the
pool that is used while the configuration is read."""

from server import body_of

TITLE = "geo: entry of a table whose ranges were deleted"
FIXED = "1.11.4 (2016)"
COMMIT = "535550b406b0"
NAMED = r"ngx_http_geo_range_t"
CONFIGURATION = """
http {{
  access_log off;
  geo $arg_ip $place {{
    ranges;
    default nowhere;
    1.2.0.0-1.2.255.255 old;
    delete 1.2.0.0-1.2.255.255;
    9.9.0.0-9.9.255.255 there;
  }}
  server {{
    listen 127.0.0.1:{port};
    root {directory}/pages;
    location /place/ {{ alias {directory}/pages/; ssi on; ssi_types *; }}
  }}
}}
"""
FILES = {"where": b'<!--#echo var="place" -->\n'}


def put_back(tree):
    tree.replace(
        "src/http/modules/ngx_http_geo_module.c",
        r"(if \(a->nelts == 0\) \{\n) *ctx\.high\.low\[i\] = NULL;\n",
        r"\1",
    )


def mend(tree):
    """The Debian package has the fix."""


def provoke(server):
    return [body_of(server.ask(f"/place/where?ip={ip}")) for ip in ("1.2.3.4", "9.9.1.1")]
