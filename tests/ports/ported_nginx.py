"""nginx: what clients get, visit for visit, from the port in each mode and from unmodified
nginx."""

import os
import re
import socket
import subprocess
import sys
import time

import toolchain
from toolchain import Failed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PORT = os.path.join(ROOT, "benchmarks", "ports", "nginx")
sys.path.insert(0, PORT)
import nginx_port as port  # noqa: E402
import nginx_site as site  # noqa: E402

PACKAGE = port.PACKAGE
MOST_TOUCHED = 0.006  # of the lines
VISITS, CONNECTIONS = 400, 4
PATIENCE_SECONDS = 60
# What no two servers say alike: the time, and the name of a file that is temporary.
VOLATILE = re.compile(rb"^(?:Date|Last-Modified|ETag): [^\r]*\r\n|\d\d-\w{3}-\d{4} \d\d:\d\d", re.M)


class Server:
    """A site of its own and the nginx that serves it."""

    def __init__(self, name, binary, work, process="master_process off;"):
        self.name, self.binary, self.directory = name, binary, os.path.join(work, "site-" + name)
        site.lay(self.directory, process)

    def command(self):
        return [self.binary, *port.arguments(self.directory)]

    def environment(self):
        return {**os.environ, "ACRE_VERIFY": "1"}

    def visit(self, drive):
        """What a closed load gets for each of its requests."""
        done = subprocess.run(
            [drive, "front.socket", "requests.txt", str(VISITS), str(CONNECTIONS), *self.command()],
            cwd=self.directory,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        self.expect_quiet(done.returncode)
        if done.stderr.strip():
            raise Failed(f"{self.name}: {done.stderr[-2000:]}")
        return done.stdout

    def log(self):
        with open(
            os.path.join(self.directory, "error.log"), encoding="utf-8", errors="replace"
        ) as file:
            return file.read()

    def expect_quiet(self, status):
        """Ended well, and said nothing that is worse than an error of a client."""
        if status or self.log().strip():
            raise Failed(f"{self.name}: status {status}\n{self.log()[-4000:]}")

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE_SECONDS)
        for _ in range(PATIENCE_SECONDS * 20):
            try:
                client.connect(os.path.join(self.directory, "front.socket"))
                return client
            except OSError:
                time.sleep(0.05)
        raise Failed(f"{self.name}: does not listen\n{self.log()[-2000:]}")

    def start(self):
        self.process = subprocess.Popen(
            self.command(),
            cwd=self.directory,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.connect().close()

    def stop(self):
        self.process.terminate()
        self.expect_quiet(self.process.wait(PATIENCE_SECONDS))


def exchange(server, pieces, pause=0.0):
    """Sends the pieces and returns all that comes until the server closes."""
    answer = b""
    with server.connect() as client:
        try:
            for piece in pieces:
                client.sendall(piece)
                time.sleep(pause)
        except BrokenPipeError:
            pass  # it has heard enough
        try:
            while part := client.recv(65536):
                answer += part
        except ConnectionResetError:
            pass
    return VOLATILE.sub(b"", answer)


def leave(server, pieces):
    """Sends the pieces and goes away without an answer."""
    with server.connect() as client:
        for piece in pieces:
            client.sendall(piece)
            time.sleep(0.02)
    return b""


def get(path, *fields, version="1.1", method="GET"):
    return "\r\n".join(
        [f"{method} {path} HTTP/{version}", "Host: localhost", *fields, "", ""]
    ).encode()


LAST = "Connection: close"


def posting(path, size):
    return get(path, f"Content-Length: {size}", LAST, method="POST")


CHUNKED = (
    get("/proxy/upload", "Transfer-Encoding: chunked", LAST, method="POST")
    + b"5\r\nfirst\r\n"
    + b"1000\r\n"
    + b"x" * 4096
    + b"\r\n0\r\n\r\n"
)
CLIENTS = {
    "requests in one piece": lambda s: exchange(
        s, [get("/") * 20 + get("/ssi/parts.html") + get("/page.html", LAST)]
    ),
    "a request byte by byte": lambda s: exchange(
        s, [bytes([b]) for b in get("/ssi/parts.html", LAST)], 0.001
    ),
    "a body in chunks": lambda s: exchange(s, [CHUNKED]),
    "a body in chunks, slowly": lambda s: exchange(
        s, [CHUNKED[i : i + 500] for i in range(0, len(CHUNKED), 500)], 0.005
    ),
    "a body that is not taken": lambda s: exchange(s, [posting("/", 70000), b"x" * 70000]),
    "nothing that is HTTP": lambda s: exchange(s, [b"\x16\x03\x01\x02\x00\x01\r\n\r\n"]),
    "an unknown version": lambda s: exchange(s, [get("/", version="3.7")]),
    "version 1.0": lambda s: exchange(s, [get("/ssi/parts.html", version="1.0")]),
    "no host": lambda s: exchange(s, [b"GET / HTTP/1.1\r\n\r\n"]),
    "large headers": lambda s: exchange(
        s, [get("/page.html", "X: " + "y" * 7000, "Y: " + "z" * 7000, LAST)]
    ),
    "too many large headers": lambda s: exchange(
        s, [get("/", *[f"X{i}: " + "y" * 7000 for i in range(6)])]
    ),
    "a header that is too large": lambda s: exchange(s, [get("/", "X: " + "y" * 9000)]),
    "an address that is too long": lambda s: exchange(s, [get("/" + "a" * 9000)]),
    "ranges": lambda s: exchange(s, [get("/large.bin", "Range: bytes=0-9,100-199", LAST)])[-60:],
    "no such range": lambda s: exchange(s, [get("/large.bin", "Range: bytes=900000-", LAST)]),
    "a directory": lambda s: exchange(s, [get("/list", LAST)]) + exchange(s, [get("/list/", LAST)]),
    "a way out of the site": lambda s: exchange(s, [get("/../../etc/passwd", LAST)]),
    "an unknown method": lambda s: exchange(s, [get("/", LAST, method="BREW")]),
    "nobody behind": lambda s: exchange(s, [get("/nobody/", LAST)]),
    "gone before the answer": lambda s: leave(s, [get("/proxy/large.bin")]),
    "gone within a request": lambda s: leave(s, [get("/ssi/parts.html")[:30]]),
    "gone within a body": lambda s: leave(s, [posting("/proxy/upload", 50000), b"x" * 3000]),
    "still well": lambda s: exchange(
        s, [get("/ssi/parts.html"), get("/proxy/page.html"), get("/", LAST)]
    ),
}


def meet_clients(server):
    server.start()
    answers = {name: client(server) for name, client in CLIENTS.items()}
    server.stop()
    return answers


def reload_and_visit(name, binary, work):
    """A master with workers: the old configuration's regions go when its last connection does."""
    server = Server(name + "-master", binary, work, "user root; worker_processes 2;")
    server.start()
    with server.connect() as kept:
        kept.sendall(get("/page.html"))
        kept.recv(100)
        for _ in range(3):
            server.process.send_signal(1)
            time.sleep(0.5)
            exchange(server, [get("/ssi/parts.html") * 3 + get("/", LAST)])
    server.process.send_signal(3)
    server.expect_quiet(server.process.wait(PATIENCE_SECONDS))


def builds(source, ported, options):
    acre_cc = os.path.join(options.acre, "bin", "acre-cc")
    include = f"-I{os.path.join(ROOT, 'include')}"
    library = (os.path.join(options.acre, "lib", "libacre.a"), "-lpthread")
    return (
        ("original", source, options.clang, (), (), False),
        ("malloc", ported, options.clang, ("-DMEMORY_MALLOC",), (), True),
        ("regions", ported, options.clang, (include,), library, True),
        ("counted", ported, acre_cc, (), (), True),
        ("verified", ported, acre_cc, ("-facre-checks=verified",), (), True),
    )


def expect_same_answers(name, wanted, given):
    for client, answer in wanted.items():
        if given[client] != answer:
            raise Failed(f"{name}: {client}: {toolchain.first_difference(answer, given[client])}")


def check(source, work, options):
    tree = port.port(source, os.path.join(work, "ported"))
    changes = tree.changes()
    if changes["touched"] > MOST_TOUCHED * changes["lines"]:
        raise Failed(f"{changes['touched']} of {changes['lines']} lines are touched")
    yield (
        f"{changes['touched']} of {changes['lines']} lines touched, in {changes['files']} files; "
        f"{changes['annotations']} annotations"
    )
    original = toolchain.Tree("original", options.clang, source, os.path.join(work, "source"), "")
    original.prepare()
    drive = os.path.join(work, "drive")
    original.run(options.clang, "-std=c17", "-O2", os.path.join(PORT, "drive.c"), "-o", drive)
    visits = answers = None
    for name, where, compiler, flags, libraries, is_ported in builds(
        original.directory, tree.directory, options
    ):
        try:
            port.build(where, os.path.join(work, name), compiler, flags, libraries, is_ported)
        except port.NotBuilt as reason:
            raise Failed(f"{name}: {reason}") from reason
        binary = os.path.join(work, name, "nginx")
        given = Server(name, binary, work).visit(drive)
        met = meet_clients(Server(name + "-clients", binary, work))
        if visits is None:
            visits, answers = given, met
        if given != visits:
            raise Failed(f"{name}: {toolchain.first_difference(visits.encode(), given.encode())}")
        expect_same_answers(name, answers, met)
        reload_and_visit(name, binary, work)
        yield (
            f"{name}: {VISITS} visits and {len(CLIENTS)} clients of other kinds, answered alike;"
            " three reloads"
        )
