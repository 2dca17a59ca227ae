# SPDX-License-Identifier: MIT
"""mini_httpd, a web server that starts a process for each request.

A run is a session with a client, as session.c says.  It posts nothing: what then reads the request
may shut the connection down before the answer was written.  Instructions are those of all processes
of the server: callgrind writes a file for each, if it may name them (%p).
"""

import os
import random
import re
import shutil
import subprocess

PACKAGE = "mini-httpd"
PORT = "mini_httpd_port"
MEMORY = "buffers for a request and its answer that grow, copied settings; most is left to exit"
FILES = ("mini_httpd.c", "htpasswd.c", "match.[ch]", "tdate_parse.[ch]", "port.h", "version.h")
BINARY = "mini_httpd"
SETTINGS = ("SESSION=client.py",)
RUNS = {"small": ("-D", "-C", "small"), "default": ("-D", "-C", "default")}
OUTPUTS = ()
HERE = os.path.dirname(os.path.abspath(__file__))
PORTS = {"small": 18474, "default": 18475, "check": 18476}
CONFIGURATION = """\
port={port}
host=localhost
dir=tree user=root # only if it is
cgipat=**.cgi
urlpat=**.gif
localpat=*.example
charset=iso-8859-1 p3p=none
logfile=/dev/null
max_age=60
"""
CLIENT = '''\
import os, re, signal, socket, sys, time

PORTS = {ports}
BASIC = "Authorization: Basic bWU6c2VjcmV0"
REQUESTS = [
    ("GET", "/index.html"),
    ("GET", "/"),
    ("GET", "/many"),
    ("GET", "/many/"),
    ("GET", "/many/file7.html", "If-Modified-Since: Fri, 01 Jan 2021 00:00:00 GMT"),
    ("HEAD", "/many/file8.html", "Cookie: a=b"),
    ("GET", "/large.bin"),
    ("GET", "/not/there"),
    ("PUT", "/index.html"),
    ("BREW", "/index.html"),
    ("GET", "/many/../a%20b.txt", "Host: localhost"),
    ("GET", "/closed/a.html"),
    ("GET", "/closed/a.html", BASIC),
    ("GET", "/closed/a.html", BASIC + "x"),
    ("GET", "/dot.gif", "Referer: http://here.example/page"),
    ("GET", "/dot.gif", "Referer: http://Elsewhere.test/page"),
    ("GET", "/echo.cgi?a+b", "User-Agent: client", "Referer: http://here.example/"),
    ("GET", "/redirect.cgi/rest?a=b", "Cookie: " + "c" * 1500),
    ("GET", "/many/file1.html", "User-Agent: a client (MSIE)"),
    ("GET", "nothing"),
]


def connected(port):
    while True:
        try:
            return socket.create_connection(("localhost", port))
        except ConnectionRefusedError:
            time.sleep(0.02)


def answer(port, method, path, *headers):
    with connected(port) as connection:
        lines = [method + " " + path + " HTTP/1.0", *headers, "", ""]
        connection.sendall("\\r\\n".join(lines).encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


key = sys.argv[1]
for turn in range({"check": 1, "small": 8, "default": 60}[key]):
    for request in REQUESTS:
        text = answer(PORTS[key], *request)
        text = re.sub(rb"(?m)^(?:Date|Expires): .*", b"", text)
        sys.stdout.buffer.write(b"== " + " ".join(request).encode() + b"\\n" + text)
sys.stdout.flush()
os.kill(os.getppid(), signal.SIGTERM)
'''
SCRIPTS = {
    "echo.cgi": "Content-type: text/plain\\n\\n$QUERY_STRING $PATH_INFO $*\\n",
    "redirect.cgi": "Status: 302\\nLocation: /index.html\\n\\n",
}


def write_loads(directory):
    """A tree of files that have one age, whoever writes them."""
    for key, port in PORTS.items():
        with open(os.path.join(directory, key), "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(port=port))
    with open(os.path.join(directory, "client.py"), "w", encoding="ascii") as file:
        file.write(CLIENT.replace("{ports}", repr(PORTS)))
    tree, choose = os.path.join(directory, "tree"), random.Random(1)
    contents = {
        "index.html": "<p>A page.\n",
        "a b.txt": "A text.\n",
        "dot.gif": "GIF",
        "large.bin": "".join(choose.choices("abcdefgh", k=300000)),
        "closed/a.html": "<p>Closed.\n",
        "closed/.htpasswd": "you:xxNANd1rDfiNc\nme:abNANd1rDfiNc\n",
        **{f"many/file{number}.html": "x" * number for number in range(200)},
    }
    for name, text in contents.items():
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        with open(os.path.join(tree, name), "w", encoding="ascii") as file:
            file.write(text)
    for name, text in SCRIPTS.items():
        path = os.path.join(tree, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\nprintf '%b' \"{text}\"\n")
        os.chmod(path, 0o755)
    for folder, _, names in os.walk(tree, topdown=False):
        for name in [*names, "."]:
            os.utime(os.path.join(folder, name), (1600000000, 1600000000))


def build(tree, flags):
    tree.make("mime_encodings.h", "mime_types.h")
    flags = [*flags, "-DUSE_SSL"]
    sources = [tree.path(name) for name in ("mini_httpd.c", "match.c", "tdate_parse.c")]
    shutil.copy(os.path.join(HERE, "session.c"), tree.directory)
    libraries = ["-lcrypt", "-lssl", "-lcrypto", *flags]
    tree.compile(flags, [*sources, tree.path("session.c")], tree.path(BINARY), libraries)
    tree.compile(flags, [tree.path("htpasswd.c")], tree.path("htpasswd"), libraries)


def check(tree):
    """It has no tests: what the server answers to each request, and what htpasswd writes."""
    directory = tree.path("check")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    write_loads(directory)
    done = subprocess.run(
        [tree.path(BINARY), "-D", "-C", "check"],
        cwd=directory,
        env={**os.environ, "SESSION": "client.py"},
        capture_output=True,
        check=False,
    )
    parts = re.split(rb"(?m)^== (.*)\n", done.stdout)
    said = {name[:60].decode(): text for name, text in zip(parts[1::2], parts[2::2])}
    said["status"] = (done.returncode, len(parts))
    passwords = os.path.join(directory, "passwords")
    for words in (("-c", passwords, "a"), (passwords, "b"), (passwords, "a")):
        command = [tree.path("htpasswd"), *words]
        subprocess.run(command, input=b"secret\n", capture_output=True, check=False)
        with open(passwords, encoding="ascii") as file:
            users = re.findall(r"(?m)^(\w+):(?=.{13}$)", file.read())
        said["htpasswd " + " ".join(os.path.basename(word) for word in words)] = users
    return said
