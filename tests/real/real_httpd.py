"""Apache httpd with threads (the event MPM), modules that it loads, and the Apache Portable Runtime
below it: answers are as with plain clang, with its pools in regions."""

import os
import re
import signal
import socket
import subprocess
import tempfile
import time

from libraries import install_apr
from network import HOST, free_port
from toolchain import Failed

PACKAGE = "apache2"
POOLS = "apr"
LOADED = (
    "unixd mime dir alias autoindex include dav dav_fs proxy proxy_http deflate filter headers"
    " authz_core"
).split()


def build(tree):
    tree.run(
        "./configure",
        f"CC={tree.cc}",
        "CFLAGS=-O2 -g -w",
        "CPPFLAGS=-DBUILD_DATETIME=__DATE__",
        f"--prefix={tree.path('installed')}",
        *install_apr(tree),
        "--with-mpm=event",
        "--enable-mods-shared=few",
        "--enable-modules=" + " ".join(name.replace("_", "-") for name in LOADED),
        "--disable-ssl",
    )
    tree.make()
    tree.make("install")


CONFIGURATION = """
ServerName here
Listen 127.0.0.1:{port}
PidFile {directory}/pid
ErrorLog {directory}/error.log
DavLockDB {directory}/locks/db
User nobody
Group nogroup
DocumentRoot {directory}/pages
TypesConfig {tree}/docs/conf/mime.types
StartServers 1
ThreadsPerChild 8
<Directory {directory}/pages>
  Options Indexes FollowSymLinks Includes
  AllowOverride All
</Directory>
<Location /dav>
  Dav On
</Location>
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
AddOutputFilterByType DEFLATE text/html
ProxyPass /again http://127.0.0.1:{port}/
"""
PAGES = {
    "small.txt": b"a page\n",
    "large.bin": bytes(range(256)) * 2000,
    "parts.shtml": b'<!--#include virtual="/small.txt" --><!--#echo var="QUERY_STRING" -->\n',
}
LOCK = (
    '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>'
    "<D:locktype><D:write/></D:locktype></D:lockinfo>"
)
# Methods, paths, headers and bodies.
REQUESTS = (
    ("GET", "/small.txt", "", ""),
    ("GET", "/large.bin", "", ""),
    ("GET", "/large.bin", "Range: bytes=10-20,300-400", ""),
    ("GET", "/", "Accept-Encoding: gzip", ""),
    ("GET", "/parts.shtml?asked", "", ""),
    ("GET", "/again/small.txt", "", ""),
    ("GET", "/again/again/large.bin", "", ""),
    ("GET", "/missing", "", ""),
    ("GET", "/" + "a" * 9000, "", ""),
    ("PUT", "/dav/new", "", "what is new"),
    ("PROPFIND", "/dav/", "Depth: 1", ""),
    ("LOCK", "/dav/new", "", LOCK),
    ("PUT", "/dav/new", "", "refused"),
    ("MKCOL", "/dav/collection", "", ""),
    ("MOVE", "/dav/other", "Destination: /dav/collection/new", ""),
    ("DELETE", "/dav/collection", "", ""),
    ("NONSENSE", "/", "", ""),
)


def written(request, is_last):
    method, path, header, body = request
    lines = [f"{method} {path} HTTP/1.1", "Host: here", f"Content-Length: {len(body)}"]
    lines += [header] * bool(header) + ["Connection: close"] * is_last
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def answer(port, requests):
    """What the server sends in one connection, without what tells the time or makes names of it."""
    with socket.create_connection((HOST, port), 60) as connection:
        for i, request in enumerate(requests):
            connection.sendall(written(request, i + 1 == len(requests)))
        got = b"".join(iter(lambda: connection.recv(65536), b""))
    got = re.sub(rb"(Date|Last-Modified|ETag|Lock-Token|Allow): [^\r]*", rb"\1", got)
    got = re.sub(rb"opaquelocktoken:[-0-9a-f]+|\b[0-9a-f]{16}\b", b"", got)
    got = re.sub(rb' xmlns:lp\d="[^"]*"', b"", got)  # like Allow, by a hash table with a seed
    return re.sub(rb"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\dZ)?|<lp1:get[el]\w+>[^<]*", b"", got)


def prepare(tree, directory, port):
    for name in ("pages/dav", "locks"):
        os.makedirs(os.path.join(directory, name))
        os.chmod(os.path.join(directory, name), 0o777)
    for name, content in PAGES.items():
        with open(os.path.join(directory, "pages", name), "wb") as file:
            file.write(content)
    modules = os.listdir(tree.path("installed", "modules"))
    with open(os.path.join(directory, "conf"), "w", encoding="utf-8") as file:
        for name in LOADED:
            if f"mod_{name}.so" in modules:
                file.write(f"LoadModule {name}_module modules/mod_{name}.so\n")
        file.write(CONFIGURATION.format(directory=directory, port=port, tree=tree.directory))
    os.chmod(directory, 0o755)


def serve(tree, rounds):
    """The answers of a server, and what it wrote."""
    with tempfile.TemporaryDirectory() as directory:
        port = free_port()
        prepare(tree, directory, port)
        errors = open(os.path.join(directory, "stderr"), "w+", encoding="utf-8")
        with errors, subprocess.Popen(
            [
                tree.path("installed", "bin", "httpd"),
                *("-d", tree.path("installed"), "-f", os.path.join(directory, "conf")),
                "-DFOREGROUND",
            ],
            stderr=errors,
            env={**os.environ, "ACRE_VERIFY": "1"},
        ) as server:
            while not os.path.exists(os.path.join(directory, "pid")) and server.poll() is None:
                time.sleep(0.05)
            if server.poll() is not None:
                errors.seek(0)
                raise Failed(f"{tree.kind}: the server did not start: {errors.read()[-2000:]}")
            try:
                answers = [answer(port, [request]) for request in REQUESTS]
                for _ in range(rounds):
                    answers.append(answer(port, REQUESTS[:8]))
            finally:
                server.send_signal(signal.SIGTERM)
            if server.wait(60) != 0:
                raise Failed(f"{tree.kind}: the server ended with {server.returncode}")
            errors.seek(0)
            with open(os.path.join(directory, "error.log"), encoding="utf-8") as log:
                return answers, errors.read() + log.read()


def check_pools(plain, acre):
    wanted, _ = serve(plain, 20)
    got, errors = serve(acre, 20)
    for i, (one, other) in enumerate(zip(wanted, got)):
        if one != other:
            raise Failed(f"answer {i} differs: {one[:600]!r} and {other[:600]!r}")
    yield f"{len(got)} connections are answered as with plain clang"
    if "fatal" in errors or "exit signal" in errors or "in region 'request'" not in errors:
        raise Failed("findings:\n" + errors[-3000:])
    yield "pointers that requests leave behind are told, and none is used"
