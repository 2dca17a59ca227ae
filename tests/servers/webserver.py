"""What the web server does for http.client, curl, wget, wrk and for clients that are wrong, slow
or gone."""

import concurrent.futures
import filecmp
import http.client
import os
import random
import shutil
import signal
import socket
import subprocess
import time

from program import PATIENCE, Failed, expect, expect_equal

TIMEOUT = 1  # of the server, seconds; it looks once a second
HUGE = 64_000_000

# What is put in the place of what, and what the compiler says to it.
MISTAKES = (
    (
        "webserver/connection.c",
        "connection_event, connection);\n",
        "connection_event, connection);\n  set_patience(connection, 1);\n",
        "'connection' is used after it was consumed",
    ),
    ("webserver/connection.c", "  free(connection);\n", "", "'connection' may be lost"),
    (
        "webserver/connection.c",
        "    free(out);\n    return CLOSE;",
        "    return CLOSE;",
        "'out' may be lost",
    ),
    (
        "events/events.c",
        "  function(loop, environment, event);\n",
        "  callback->function(loop, environment, event);\n",
        "'callback' is used after it was consumed",
    ),
    (
        "events/signals.c",
        "  events_close(loop, signals->descriptor);\n  free(signals);\n",
        "  free(signals);\n  events_close(loop, signals->descriptor);\n",
        "'signals' is used after it was consumed",
    ),
)


def make_site(directory):
    site = os.path.join(directory, "site")
    os.makedirs(os.path.join(site, "sub", "inner space"))
    noise = random.Random(4)
    files = {
        "index.html": b"<p>root",
        "4k.bin": noise.randbytes(4096),
        "big.bin": noise.randbytes(3_000_001),
        "empty.txt": b"",
        "sub/index.html": b"<a href='inner%20space/'>in</a>",
        "sub/inner space/index.html": b"<p>inner",
        "sub/na\u00efve.txt": b"accents",
    }
    for name, content in files.items():
        with open(os.path.join(site, name), "wb") as file:
            file.write(content)
    with open(os.path.join(site, "huge.bin"), "wb") as file:  # more than sockets hold
        file.truncate(HUGE)
    os.mkdir(os.path.join(site, "no-index"))
    os.mkfifo(os.path.join(site, "fifo"))
    with open(os.path.join(directory, "secret"), "w", encoding="utf-8") as file:
        file.write("not for you")
    return site, files


def connect(port):
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def read_all(client):
    """All that comes until the server closes."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        parts.append(b"<reset>")
    return b"".join(parts)


def exchange(port, *parts):
    with connect(port) as client:
        for part in parts:
            client.sendall(part)
        return read_all(client)


def status_of(answer):
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else answer[:100]


def check_files(port, files):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def ask(method, path, **headers):
        link.request(
            method, path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = link.getresponse()
        return answer.status, answer.read(), answer.headers

    for name, content in files.items():
        expect_equal(
            ask("GET", "/" + "".join(f"%{byte:02x}" for byte in name.encode()))[1],
            content,
            f"GET {name}",
        )
        status, body, headers = ask(
            "HEAD", "/" + name.replace(" ", "%20").replace("\u00ef", "%c3%af")
        )
        expect_equal(
            (status, body, int(headers["Content-Length"])), (200, b"", len(content)), f"HEAD {name}"
        )
    expect_equal(
        ask("GET", "/sub/../sub/./inner%20space/?query")[1],
        files["sub/inner space/index.html"],
        "dots",
    )
    expect_equal(
        ask("GET", "/sub/inner%20space")[2]["Location"],
        "inner%20space/",
        "a directory without a slash",
    )
    for path, wanted in {
        "/none": 404,
        "/no-index/": 404,
        "/fifo": 403,
        "/empty.txt/": 404,
        "/" + "x" * 600: 404,
    }.items():
        expect_equal(ask("GET", path)[0], wanted, f"GET {path[:20]}")
    big = files["big.bin"]
    for asked, first, end in (
        ("0-9", 0, 10),
        ("100-", 100, len(big)),
        ("-7", len(big) - 7, len(big)),
        ("2999990-4000000", 2999990, len(big)),
    ):
        status, body, headers = ask("GET", "/big.bin", Range=f"bytes={asked}")
        wanted = (206, big[first:end], f"bytes {first}-{end - 1}/{len(big)}")
        expect_equal((status, body, headers["Content-Range"]), wanted, f"range {asked}")
    for asked, wanted in (
        ("9-1", 200),
        ("3000001-", 416),
        ("-0", 416),
        ("0-1,5-6", 200),
        ("x", 200),
    ):
        expect_equal(ask("GET", "/big.bin", Range=f"bytes={asked}")[0], wanted, f"range {asked}")
    modified = ask("HEAD", "/4k.bin")[2]["Last-Modified"]
    expect_equal(ask("GET", "/4k.bin", If_Modified_Since=modified)[0], 304, "not modified")
    expect_equal(
        ask("GET", "/4k.bin", If_Modified_Since="yesterday")[0], 200, "a date that is none"
    )
    for date, wanted in (("Sun, 06 Nov 1994 08:49:37 GMT", 200), (modified, 206)):
        expect_equal(
            ask("GET", "/4k.bin", Range="bytes=1-2", If_Range=date)[0], wanted, f"If-Range {date}"
        )
    link.close()


def check_refusals(port):
    secret = b"not for you"
    for path in (
        "/../secret",
        "/%2e%2e/secret",
        "/sub/../../secret",
        "/sub%2f..%2f..%2fsecret",
        "/..%5csecret",
        "//../secret",
    ):
        answer = exchange(port, f"GET {path} HTTP/1.0\r\n\r\n".encode())
        expect(
            secret not in answer and status_of(answer) in (400, 404), f"{path} stays below the root"
        )
    host = b"Host: x\r\n"
    for request, wanted in {
        b"\x16\x03\x01\x02\x00\x01\x00\n\n": 400,
        b"GET\r\n\r\n": 400,
        b"GET / HTTP/1.1\r\n\r\n": 400,
        b"GET / HTTP/2.0\r\n\r\n": 505,
        b"GET / HTTP/1.1\r\n" + host + b"Bad Name : x\r\n\r\n": 400,
        b"GET / HTTP/1.1\r\n" + host + host + b"\r\n": 400,
        b"GET /%zz HTTP/1.0\r\n\r\n": 400,
        b"GET /%00 HTTP/1.0\r\n\r\n": 400,
        b"GET x HTTP/1.0\r\n\r\n": 400,
        b"GET / HTTP/1.0\r\nA: \0\r\n\r\n": 400,
        b"GET /" + b"x" * 1100 + b" HTTP/1.0\r\n\r\n": 414,
        b"GET / HTTP/1.0\r\nA: " + b"x" * 10000: 431,
        b"GET http://x/4k.bin HTTP/1.0\r\n\r\n": 200,
        b"\r\n\r\nGET / HTTP/1.0\r\n\r\n": 200,
        b"GET / HTTP/1.0\n\n": 200,
    }.items():
        expect_equal(status_of(exchange(port, request)), wanted, repr(request[:40]))
    answer = exchange(
        port, b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 100000\r\n\r\n" + b"x" * 100000
    )
    expect_equal(status_of(answer), 405, "a body")
    expect(b"<reset>" not in answer and b"Allow: GET, HEAD" in answer, "a body is not read")


def check_order(port):
    one = b"GET /sub/ HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    answer = exchange(port, one * 50 + last)
    expect_equal(
        (
            answer.count(b"HTTP/1.1 200 OK"),
            answer.count(b"inner%20space"),
            answer.endswith(b"<p>root"),
        ),
        (51, 50, True),
        "pipelined requests are answered in order",
    )
    answer = exchange(port, *(last[i : i + 1] for i in range(len(last))))
    expect(answer.endswith(b"<p>root"), "a request that comes byte by byte")
    with connect(port) as client:
        client.sendall(b"GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        time.sleep(0.05)
        expect(len(read_all(client)) > 3_000_000, "a client that closed its half gets its answer")


def check_garbage(port):
    noise = random.Random(11)
    whole = b"GET /4k.bin HTTP/1.1\r\nHost: x\r\nRange: bytes=0-10\r\nConnection: close\r\n\r\n"
    for _ in range(150):
        text = bytearray(whole)
        for _ in range(noise.randrange(1, 6)):
            place = noise.randrange(len(text))
            text[place : place + noise.randrange(3)] = noise.randbytes(noise.randrange(3))
        with connect(port) as client:
            client.sendall(text)
            client.shutdown(socket.SHUT_WR)
            answer = read_all(client)
        expect(
            not answer or isinstance(status_of(answer), int),
            f"{bytes(text)!r} has an answer or none",
        )


def check_patience(port):
    """All at once: what each is closed with, after how long it is not said."""

    def slow_head():
        return exchange(port, b"GET / HTTP/1.1\r\nHost")

    def idle():
        return exchange(port)

    def slow_reader():
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.sendall(b"GET /huge.bin HTTP/1.0\r\n\r\n")
            time.sleep(TIMEOUT + 2)
            return read_all(client)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        head, quiet, reader = [pool.submit(client) for client in (slow_head, idle, slow_reader)]
        expect_equal(status_of(head.result()), 408, "a client whose request does not end")
        expect_equal(quiet.result(), b"", "a client that says nothing")
        expect(len(reader.result()) < HUGE, "a client that does not read is given up")


def check_lateness(start):
    """A server that is held up for longer than its patience does not take it for a client's
    fault."""
    with start() as running, connect(running.port) as client, connect(running.port) as other:
        client.sendall(b"GET /huge.bin HTTP/1.0\r\n\r\n")
        got = len(client.recv(1))
        time.sleep(0.3)  # it waits for this client now
        # More than goes into a log that nobody reads.
        other.sendall((b"GET /" + b"x" * 200 + b" HTTP/1.1\r\nHost: x\r\n\r\n") * 600)
        time.sleep(0.3)
        client.settimeout(TIMEOUT + 1)
        try:
            while part := client.recv(65536):
                got += len(part)
            raise Failed("the server is not held up")
        except TimeoutError:
            client.settimeout(PATIENCE)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            pool.submit(running.process.stdout.read)
            got += len(read_all(client))
            running.signal(signal.SIGTERM)
        expect(got > HUGE, "a client that reads is not given up")


def check_end(server, start):
    """What was begun is finished after SIGTERM."""
    with start() as running, connect(running.port) as client, connect(running.port) as idle:
        client.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = client.recv(100)
        running.signal(signal.SIGTERM)
        expect_equal(read_all(idle), b"", "an idle client is closed")
        expect(len(answer + read_all(client)) > HUGE, "an answer that was begun is finished")
        expect_equal(running.wait(), 0, "the exit status")
        running.process.send_signal = lambda number: None
    running = start()
    with connect(running.port) as client:
        client.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        client.recv(1)
        for _ in range(2):
            running.signal(signal.SIGINT)
            time.sleep(0.2)
        expect_equal(running.wait(), -signal.SIGINT, "the second SIGINT ends it at once")
    for arguments, wanted in (
        (["-b", "1"], 2),
        (["-t", "x"], 2),
        (["a", "b"], 2),
        (["-z"], 2),
        (["nowhere"], 1),
        (["-a", "1:2:x"], 1),
        (["-a", "256.0.0.1:1"], 1),
        (["--help"], 0),
    ):
        done = server.run(*arguments)
        expect_equal(done.returncode, wanted, f"{arguments}: {done.stderr}")
        expect(done.stderr or not wanted, f"{arguments}: without a word")


def check_descriptors(start, wanted):
    """More clients than descriptors: they wait for one another."""
    with start(descriptors=16) as running, concurrent.futures.ThreadPoolExecutor(40) as pool:
        jobs = [
            pool.submit(exchange, running.port, b"GET /4k.bin HTTP/1.0\r\n\r\n") for _ in range(40)
        ]
        expect(
            all(job.result().endswith(wanted) for job in jobs),
            "40 clients of a server with 16 descriptors",
        )


def check_tools(server, port, site):
    """Yields which of them were there."""
    url = f"http://127.0.0.1:{port}"

    def run(*command):
        return subprocess.run(
            command, capture_output=True, check=False, timeout=60, cwd=server.directory
        )

    if shutil.which("curl"):
        done = run(
            "curl",
            "-sS",
            "-r",
            "10-4000",
            "-o",
            "part",
            f"{url}/4k.bin",
            "--next",
            "-sS",
            "--fail",
            "-o",
            "whole",
            f"{url}/big.bin",
        )
        expect(
            done.returncode == 0
            and os.path.getsize(os.path.join(server.directory, "part")) == 3991
            and filecmp.cmp(
                os.path.join(server.directory, "whole"),
                os.path.join(site, "big.bin"),
                shallow=False,
            ),
            f"curl: {done.stderr}",
        )
    yield "curl" if shutil.which("curl") else "no curl here"
    if shutil.which("wget"):
        done = run("wget", "-q", "-r", "-nH", "-P", "mirror", f"{url}/sub/")
        expect(
            filecmp.cmp(
                os.path.join(server.directory, "mirror", "sub", "inner space", "index.html"),
                os.path.join(site, "sub", "inner space", "index.html"),
            ),
            f"wget -r: {done.stderr}",
        )
    yield "wget" if shutil.which("wget") else "no wget here"
    if shutil.which("wrk"):
        done = run("wrk", "-t1", "-c50", "-d1", f"{url}/4k.bin")
        expect(
            done.returncode == 0
            and b"Socket errors" not in done.stdout
            and b"Non-2xx" not in done.stdout
            and b" 0 requests in" not in done.stdout,
            f"wrk: {done.stdout} {done.stderr}",
        )
    yield "wrk" if shutil.which("wrk") else "no wrk here"


def check(server):
    site, files = make_site(server.directory)

    def start(**more):
        return server.start("-a", "127.0.0.1:0", "-t", str(TIMEOUT), "-l", site, **more)

    with server.start("-a", "127.0.0.1:0", site) as running:
        check_files(running.port, files)
        yield "files, ranges and conditions over one connection"
        check_refusals(running.port)
        yield "what is wrong or outside the site is refused"
        check_order(running.port)
        check_garbage(running.port)
        yield "pipelined, slow, half-closed and mangled requests"
        yield "clients: " + ", ".join(check_tools(server, running.port, site))
        if server.version == "manual":
            expect(running.footprint()["data"] < 100_000, "memory is given back")
            yield "memory is given back"
    with start() as running:
        check_patience(running.port)
        yield "who keeps it waiting is left"
    check_lateness(start)
    yield "who reads is not left"
    # With patience for a client that has no processor for long.
    check_end(server, lambda: server.start("-a", "127.0.0.1:0", "-t", str(PATIENCE), site))
    yield "it ends when what was begun is sent"
    check_descriptors(start, files["4k.bin"])
    yield "more clients than descriptors"
