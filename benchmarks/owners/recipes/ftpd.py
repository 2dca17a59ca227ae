# SPDX-License-Identifier: MIT
"""The FTP server of GNU inetutils, as inetd starts it.

A run is a session with a client, as session.c says; the user is of ftpd_login.c.  pam.c is not
compiled.
"""

import hashlib
import os
import random
import re
import shutil
import subprocess

PACKAGE = "inetutils"
PORT = "ftpd_port"
MEMORY = "an argument for each command, the credentials of a login, a list of piped processes"
FILES = (
    *("ftpd/ftpcmd.y", "ftpd/extern.h"),
    *(f"ftpd/{name}.c" for name in ("auth", "conf", "ftpd", "popen", "server_mode")),
)
BINARY = "ftpd/ftpd"
SETTINGS = ("SESSION=client.py", "SESSION_INHERITED=1", "TZ=UTC")
RUNS = {"small": ("--max-timeout=7201",), "default": ("--max-timeout=7202",)}
OUTPUTS = ()
HERE = os.path.dirname(os.path.abspath(__file__))
PATHS = ("wtmp", "wtmpx", "ftpusers", "ftpchroot", "ftpwelcome", "ftploginmesg")
CLIENT = '''\
import os, re, shutil, socket, sys

control = socket.socket(fileno=3)
lines = control.makefile("rb")
shown = sys.stdout.buffer


def say(text):
    """Shows a text without what another session says otherwise."""
    text = text.replace(os.getcwd().encode(), b"HOME")
    text = re.sub(rb"(Mode|Passive Mode|Connected to) ?\\([^)]*\\)", rb"\\1", text)
    shown.write(re.sub(rb"(?m)^(220 |214 Direct|215 ).*", rb"\\1", text))


def answer():
    while True:
        line = lines.readline()
        say(line)
        if not line or re.match(rb"\\d\\d\\d (?!Opening)", line):
            return line
        if line.startswith(b"150 "):
            return line


def do(command):
    shown.write(command.encode() + b"\\n")
    control.sendall(command.encode() + b"\\r\\n")
    return answer()


def transfer(command, text=None, mode="PASV"):
    numbers = re.findall(rb"\\d+", do(mode))
    high, low = (numbers[-2:] if mode == "PASV" else (0, numbers[-1]))
    with socket.create_connection(("127.0.0.1", int(high) * 256 + int(low))) as data:
        if not do(command).startswith(b"150"):
            return
        if text is None:
            say(b"".join(sorted(b"".join(iter(lambda: data.recv(65536), b"")).splitlines(True))))
        else:
            data.sendall(text)
    answer()


def session(turn):
    for command in ("NOOP", "HELP", "HELP SITE chmod", "HELP stor", "FEAT", "STAT", "PWD"):
        do(command)
    do("TYPE I")
    for name in ("a.txt", "large.bin", "nothing"):
        do("SIZE " + name)
        do("MDTM " + name)
        transfer("RETR " + name)
    do("TYPE A")
    do("SIZE a.txt")
    transfer("RETR a.txt", mode="EPSV")
    do("REST 5")
    transfer("RETR a.txt")
    do("MKD new")
    do("CWD new")
    transfer("STOR b.txt", b"one\\r\\ntwo\\r\\n" * 50)
    transfer("APPE b.txt", b"three\\r\\n")
    for _ in range(3):
        transfer("STOU b.txt", b"four\\r\\n")
    transfer("LIST ../a.txt")
    transfer("NLST")
    transfer("NLST b.*")
    transfer("NLST -d")
    do("RNFR b.txt")
    do("RNTO c.txt")
    do("RNTO d.txt")
    do("RNFR nothing")
    do("SITE CHMOD 600 c.txt")
    do("SITE UMASK 022")
    do("SITE IDLE")
    do("SITE HELP")
    for name in ("c.txt", "b.txt.1", "b.txt.2", "b.txt", "b.txt.3"):
        do("DELE " + name)
    do("CDUP")
    do("RMD new")
    do("RMD new")
    transfer("LIST many")
    transfer("NLST many")
    transfer("NLST many/*1*")
    transfer("RETR ~/a.txt")
    do("STAT many")
    do("EPRT |1|127.0.0.1|1|")
    do("PORT 127,0,0,1,0,1")
    do("MAIL me")
    do("TYPE E")
    do("STRU P")
    do("RETR")


shutil.rmtree("new", ignore_errors=True)
answer()
do("PWD")
do("USER nobody")
do("USER me")
do("PASS secret")
do("SYST")
for turn in range(60 if sys.argv[1].endswith("2") else 4):
    session(turn)
do("QUIT")
'''


def write_loads(directory):
    choose = random.Random(1)
    contents = {
        "client.py": CLIENT,
        "a.txt": "A line of a text.\n" * 100,
        "large.bin": "".join(choose.choices("abcdefgh\n", k=400000)),
        **{f"many/file{number}.txt": "x" * number for number in range(60)},
    }
    for name, text in contents.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.utime(path, (1600000000, 1600000000))


def build(tree, flags):
    tree.keep_generated("config.hin", "ftpd/ftpcmd.y")
    flags = " ".join(flags)
    tree.run(
        *("./configure", f"CC={tree.cc}", f"CFLAGS={flags}", "--disable-dependency-tracking"),
        *("--disable-servers", "--disable-clients", "--enable-ftpd", "--without-pam"),
        *(f"--with-path-{name}={os.devnull}" for name in PATHS),
        "--with-path-nologin=/nonexistent",
    )
    for name in ("lib", "libinetutils", "libls"):
        tree.make("-C", name)
    objects = []
    for name in ("session", "ftpd_login"):
        shutil.copy(os.path.join(HERE, name + ".c"), tree.directory)
        objects.append(tree.path(name + ".o"))
        tree.run(tree.cc, *flags.split(), "-c", name + ".c", "-o", objects[-1])
    tree.make("-C", "ftpd", "ftpd", f"LDFLAGS={' '.join(objects)}")


def check(tree):
    """The suite's tests of ftpd need its clients: what each of the commands is answered."""
    directory = tree.path("check")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    write_loads(directory)
    settings = dict(setting.split("=", 1) for setting in SETTINGS)
    done = subprocess.run(
        [tree.path(BINARY), *RUNS["small"]],
        cwd=directory,
        env={**os.environ, **settings},
        capture_output=True,
        check=False,
    )
    said = {"status": done.returncode}
    for part in re.split(rb"(?m)^(?=[A-Z]{3,4}(?: |$))", done.stdout):
        name = f"{len(said)} {part.splitlines()[0].decode()[:40] if part else ''}"
        said[name] = hashlib.sha256(part).hexdigest()[:12]
    return said
