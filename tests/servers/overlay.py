"""What the packet overlay does with datagrams and frames of real sockets, and when its
configuration changes."""

import concurrent.futures
import os
import random
import signal
import socket
import struct
import time

from program import PATIENCE, Failed, expect, expect_equal

# What is put in the place of what, and what the compiler says to it.
MISTAKES = (
    (
        "overlay/forward.c",
        "  operate(loop, overlay, operation->next[last], packet);\n",
        "  operate(loop, overlay, operation->next[last], packet);\n  streambuff_free(packet);\n",
        "'packet' is used after it was consumed",
    ),
    (
        "overlay/forward.c",
        "  if (!operation->next_count) {\n    streambuff_free(packet);\n",
        "  if (!operation->next_count) {\n",
        "'packet' may be lost",
    ),
    (
        "overlay/input.c",
        "    rc_drop(data);\n    return NULL;",
        "    return NULL;",
        "'data' may be lost",
    ),
    (
        "overlay/output.c",
        "  port_drop(port);\n}\n\nvoid output_send",
        "}\n\nvoid output_send",
        "'port' may be lost",
    ),
    (
        "overlay/streambuff.c",
        "rc_alias(part->data), part->offset, taken",
        "part->data, part->offset, taken",
        "a unique pointer in memory is taken with",
    ),
)


def frame(packet):
    return struct.pack(">I", len(packet)) + packet


def read_exactly(client, size):
    parts = []
    while size:
        part = client.recv(min(size, 1 << 20))
        if not part:
            raise Failed(f"the connection ends {size} bytes too early")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_frame(client):
    return read_exactly(client, struct.unpack(">I", read_exactly(client, 4))[0])


class Sink:
    """A socket that the overlay sends to."""

    def __init__(self, kind):
        self.socket = socket.socket(socket.AF_INET, kind)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(PATIENCE)
        if kind == socket.SOCK_STREAM:
            self.socket.listen()
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]

    def accept(self):
        client = self.socket.accept()[0]
        client.settimeout(PATIENCE)
        return client

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def datagrams():
    return Sink(socket.SOCK_DGRAM)


def streams():
    return Sink(socket.SOCK_STREAM)


def write(program, *lines):
    path = os.path.join(program.directory, "plan")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# a plan\n\n" + "\n".join(lines) + "\n")
    return path


def connect(port, kind=socket.SOCK_STREAM):
    client = socket.socket(socket.AF_INET, kind)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    return client


def check_operations(program):
    """Each operation alone, and a packet that is shared where one of those who have it changes
    it."""

    def expected(operation, packets):
        with datagrams() as to:
            path = write(
                program,
                "in udp-in 127.0.0.1:0 -> op",
                f"op {operation} -> out",
                f"out udp-out {to.address}",
            )
            with program.start(path) as running, connect(running.port, socket.SOCK_DGRAM) as source:
                for packet in (b"one", b"", b"three33", b"x" * 5000):
                    source.send(packet)
                expect_equal([to.socket.recv(65536) for _ in packets], packets, operation)

    long = b"x" * 5000
    expected(
        "number", [struct.pack(">I", i) + p for i, p in enumerate((b"one", b"", b"three33", long))]
    )
    expected("strip 2", [b"e", b"", b"ree33", long[2:]])
    expected("prepend ab", [b"abone", b"ab", b"abthree33", b"ab" + long])
    expected("xor 32", [b"ONE", b"", bytes(c ^ 32 for c in b"three33"), b"X" * 5000])
    expected("every 2", [b"one", b"three33"])
    expected("split 999", [b"one", b"", b"three33"] + [b"x" * 999] * 5 + [b"xxxxx"])
    expected("join 5", [b"onethree33", long])
    with datagrams() as plain, datagrams() as other:
        path = write(
            program,
            "in udp-in 127.0.0.1:0 -> seq",
            "seq number -> a b c",
            f"a udp-out {plain.address}",
            "b xor 1 -> cut",
            "cut strip 4 -> out",
            f"out udp-out {other.address}",
            "c join 1000000",
        )
        with program.start(path) as running, connect(running.port, socket.SOCK_DGRAM) as source:
            for i in range(50):
                source.send(b"packet")
                expect_equal(
                    plain.socket.recv(100), struct.pack(">I", i) + b"packet", "what another changed"
                )
                expect_equal(
                    other.socket.recv(100), bytes(c ^ 1 for c in b"packet"), "what is changed"
                )


def check_streams(program):
    """Frames of all sizes, split and joined on the way, more than the sockets hold while nobody
    reads."""
    noise = random.Random(3)
    packets = [noise.randbytes(noise.choice((0, 1, 50, 1000, 70000))) for _ in range(400)]
    with streams() as to:
        path = write(
            program,
            "in tcp-in 127.0.0.1:0 -> cut",
            "cut split 30000 -> stamp",
            "stamp prepend <> -> out",
            f"out tcp-out {to.address}",
        )
        with program.start(path) as running, connect(running.port) as source, to.accept() as reader:
            whole = b"".join(map(frame, packets))
            with concurrent.futures.ThreadPoolExecutor() as pool:
                sender = pool.submit(source.sendall, whole)
                time.sleep(0.2)
                for packet in packets:
                    for start in range(0, max(len(packet), 1), 30000):
                        expect_equal(
                            read_frame(reader), b"<>" + packet[start : start + 30000], "a frame"
                        )
                sender.result()


def check_full_queue(program):
    """The queue is full, falls to few and fills again while the socket takes no more; then the
    program still ends."""
    packet = b"x" * 10_000
    with streams() as to:
        path = write(program, "in tcp-in 127.0.0.1:0 -> out", f"out tcp-out {to.address}")
        to.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 20_000)
        with program.start(path) as running, connect(running.port) as source, to.accept() as reader:
            with concurrent.futures.ThreadPoolExecutor() as pool:
                sender = pool.submit(source.sendall, frame(packet) * 3000)
                for _ in range(3000):
                    expect_equal(read_frame(reader), packet, "a frame")
                sender.result()


def check_bad_clients(program):
    with streams() as to:
        path = write(program, "in tcp-in 127.0.0.1:0 -> out", f"out tcp-out {to.address}")
        with program.start(path) as running, to.accept() as reader:
            with connect(running.port) as client:
                client.sendall(b"\xff" * 100)
                try:
                    expect_equal(client.recv(1), b"", "a frame of 4 GB is refused")
                except ConnectionResetError:
                    pass
            for cut in range(1, 12):
                with connect(running.port) as client:
                    client.sendall(frame(b"12345678")[:cut])
            clients = [connect(running.port) for _ in range(100)]
            for client in clients:
                client.sendall(frame(b"from many")[:5])
            for client in clients:
                client.sendall(frame(b"from many")[5:])
                client.shutdown(socket.SHUT_WR)
            for _ in clients:
                expect_equal(read_frame(reader), b"from many", "100 connections")
            for client in clients:
                client.close()


def reload(running):
    running.signal(signal.SIGHUP)
    return running.process.stdout.readline()


def check_change(program):
    """The configuration changes while frames come: none is lost, and each has gone through one
    plan or the other."""
    count = 2000
    with streams() as to, datagrams() as side:

        def plan(mark, *more):
            return write(
                program,
                "in tcp-in 127.0.0.1:0 -> mark",
                f"mark prepend {mark} -> out",
                f"out tcp-out {to.address}",
                *more,
            )

        with program.start(plan("A")) as running, connect(
            running.port
        ) as source, to.accept() as reader:

            def send():
                for i in range(count):
                    source.sendall(frame(b"%06d" % i))
                    if i % 100 == 0:
                        time.sleep(0.002)

            seen = set()
            with concurrent.futures.ThreadPoolExecutor() as pool:
                sender = pool.submit(send)
                for i in range(count):
                    packet = read_frame(reader)
                    expect(
                        packet[:1] in b"AB" and packet[1:] == b"%06d" % i,
                        f"frame {i} is whole: {packet}",
                    )
                    seen.add(packet[:1])
                    if i % 200 == 0:
                        plan(
                            "B" if i % 400 == 0 else "A",
                            "j join 100000",
                            "u udp-in 127.0.0.1:0 -> j v",
                            f"v udp-out {side.address}",
                        )
                        said = reload(running)
                        expect(f"port {running.port}" in said, f"the input stays open: {said}")
                sender.result()
            expect_equal(seen, {b"A", b"B"}, "plans that were used")
            before = running.footprint()["data"]
            for i in range(40):
                plan(f"again{i}", *(f"x{j} prepend {'y' * 100}" for j in range(100)))
                reload(running)
            if program.version == "manual":
                expect(running.footprint()["data"] < before + 50_000, "old plans are gone")
            write(program, "in tcp-in 127.0.0.1:0 -> nowhere")
            running.signal(signal.SIGHUP)
            source.sendall(frame(b"still"))
            expect_equal(read_frame(reader), b"again39still", "the old plan after a wrong one")
            running.expected = r"overlay: .*plan:3: there is no 'nowhere'\n"


def check_lost_peer(program):
    with streams() as to:
        path = write(program, "in udp-in 127.0.0.1:0 -> out", f"out tcp-out {to.address}")
        with program.start(path) as running, connect(running.port, socket.SOCK_DGRAM) as source:
            to.accept().close()
            end, is_back = time.monotonic() + PATIENCE, False
            to.socket.settimeout(0.02)
            while not is_back and time.monotonic() < end:
                source.send(b"hello")
                try:
                    with to.accept() as reader:
                        is_back = read_frame(reader) == b"hello"
                except TimeoutError:
                    pass
            expect(is_back, "a peer that comes back is found")


def check_refusals(program):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        used = "127.0.0.1:%d" % taken.getsockname()[1]
        for lines, message in (
            (["a number -> b", "b number -> a"], "after itself"),
            (["a number -> a"], "after itself"),
            (["a nonsense"], "no operation 'nonsense'"),
            (["a"], "no operation ''"),
            (["a number", "a number"], "two operations 'a'"),
            (["a xor 256"], "from 0 to 255"),
            (["a every 0"], "from 1"),
            (["a split"], "needs an argument"),
            (["a strip -> b"], "needs"),
            (["a number b"], "'->' is expected"),
            (["a number -> b"], "no 'b'"),
            (["a udp-out 127.0.0.1:9 -> b", "b number"], "after an output"),
            ([], "no operations"),
            (["a udp-in x" + "y" * 200], "too long"),
            (["a tcp-in 1:2:3:4"], "overlay: "),
            (["i udp-in 127.0.0.1:0", "a number -> i"], "is an input"),
            (["a udp-in 127.0.0.1:0", "b udp-in 127.0.0.1:0"], "before"),
            (["b udp-in 127.0.0.1:0", f"a tcp-in {used}"], "Address already in use"),
            ([f"a{i} number" for i in range(129)], "more than 128"),
            (["a number -> " + "b " * 9, "b number"], "more than 8"),
        ):
            done = program.run(write(program, *lines))
            expect(
                done.returncode == 1 and message in done.stderr,
                f"{lines}: {done.returncode} {done.stderr}",
            )
    for arguments, wanted in (
        ([], 2),
        (["-x"], 2),
        (["a", "b"], 2),
        (["missing"], 1),
        (["--help"], 0),
    ):
        expect_equal(program.run(*arguments).returncode, wanted, f"{arguments}")


def check(program):
    check_refusals(program)
    yield "wrong configurations are refused, and it is said where"
    check_operations(program)
    yield "operations on datagrams; shared bytes are copied when they change"
    check_streams(program)
    yield "frames, while their reader is slow"
    check_full_queue(program)
    yield "a queue that is full again and again"
    check_bad_clients(program)
    yield "wrong, cut and many connections"
    check_change(program)
    yield "the configuration changes while frames come"
    check_lost_peer(program)
    yield "a peer that goes and comes back"
