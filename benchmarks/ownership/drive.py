# SPDX-License-Identifier: MIT
"""Drives the servers: throughput in turns, processor time, instructions, and memory over time."""

import contextlib
import copy
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

import program

CLIENTS = 6  # as in the paper
PAGES = {"1 KB": 1 << 10, "4 KB": 4 << 10, "32 KB": 32 << 10, "256 KB": 256 << 10}
PACKETS = {
    64: 100_000,
    256: 100_000,
    1024: 50_000,
    4096: 50_000,
    16384: 10_000,
    65536: 5_000,
}  # size: how many
SAMPLE_SECONDS = 0.05


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def make_site(directory):
    os.makedirs(directory, exist_ok=True)
    for name, size in PAGES.items():
        with open(os.path.join(directory, name.replace(" ", "")), "wb") as file:
            file.write(os.urandom(size))
    return directory


def load(port, page, seconds):
    """Requests done, and how many a second."""
    url = f"http://127.0.0.1:{port}/{page.replace(' ', '')}"
    done = subprocess.run(
        ["wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds}", url],
        capture_output=True,
        text=True,
        check=True,
    )
    if "Socket errors" in done.stdout or "Non-2xx" in done.stdout:
        raise program.Failed(f"wrk: {done.stdout}")
    requests, rate = re.search(
        r"(\d+) requests in.*Requests/sec:\s+([\d.]+)", done.stdout, re.S
    ).groups()
    return int(requests), float(rate)


def web_throughput(servers, site, runs, seconds):
    """{page: {version: [{"rate": requests a second, "cpu": microseconds of the server for
    one}]}}"""
    result = {page: {name: [] for name in servers} for page in PAGES}
    with contextlib.ExitStack() as stack:
        running = {
            name: stack.enter_context(server.start("-a", "127.0.0.1:0", site))
            for name, server in servers.items()
        }
        for page in PAGES:
            for turn in range(runs):
                names = list(running)
                for name in names[turn % len(names) :] + names[: turn % len(names)]:
                    before = processor_seconds(running[name].process.pid)
                    requests, rate = load(running[name].port, page, seconds)
                    spent = processor_seconds(running[name].process.pid) - before
                    result[page][name].append({"rate": rate, "cpu": 1e6 * spent / requests})
    return result


@contextlib.contextmanager
def under_valgrind(server, *arguments):
    """The server under callgrind; .instructions when it has ended."""
    wrapped = copy.copy(server)
    wrapped.binary = shutil.which("valgrind")
    running = wrapped.start(
        "--tool=callgrind", "--callgrind-out-file=/dev/null", server.binary, *arguments
    )
    try:
        yield running
    finally:
        running.signal(signal.SIGTERM)
        running.wait()
    running.instructions = int(re.search(r"Collected : (\d+)", running.error_text()).group(1))
    running.errors.close()


def web_instructions(server, site):
    """Instructions of the program itself for one request of 4 KB: the difference of two loads,
    over that of their requests."""
    points = []
    for seconds in (1, 3):
        with under_valgrind(server, "-a", "127.0.0.1:0", site) as running:
            requests = load(running.port, "4 KB", seconds)[0]
        points.append((requests, running.instructions))
    (few, small), (many, large) = points
    return (large - small) / (many - few)


class Sampler(threading.Thread):
    """Asks a server for its footprint again and again."""

    def __init__(self, running):
        super().__init__()
        self.running, self.samples, self.is_over, self.start_time = (
            running,
            [],
            False,
            time.monotonic(),
        )

    def run(self):
        while not self.is_over:
            self.samples.append(
                {"seconds": time.monotonic() - self.start_time, **self.running.footprint()}
            )
            time.sleep(SAMPLE_SECONDS)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.join()


def web_footprint(servers, site, seconds):
    result = {}
    for name, server in servers.items():
        with server.start("-a", "127.0.0.1:0", site) as running, Sampler(running) as sampler:
            load(running.port, "4 KB", seconds)
        result[name] = sampler.samples
    return result


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextlib.contextmanager
def overlay_between(server, ttcp, size, count, start=program.Program.start):
    """An overlay that puts a number in front of packets, and the program that will send and
    receive them."""
    port = free_port()
    traffic = subprocess.Popen(
        [ttcp, str(port), str(size), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    traffic.stdout.readline()
    plan = os.path.join(server.directory, "plan")
    with open(plan, "w", encoding="utf-8") as file:
        file.write(
            f"in tcp-in 127.0.0.1:0 -> stamp\nstamp number -> out\nout tcp-out 127.0.0.1:{port}\n"
        )
    try:
        with start(server, plan) as running:
            yield running, traffic
    finally:
        traffic.kill()
        traffic.wait()


def transfer(running, traffic):
    """The seconds that it took."""
    said, _ = traffic.communicate(f"{running.port}\n")
    if traffic.returncode:
        raise program.Failed("ttcp failed")
    return float(said)


def overlay_throughput(servers, ttcp, runs):
    """{size: {version: [{"rate": megabits a second, "cpu": microseconds of the node for a
    packet}]}}"""
    result = {size: {name: [] for name in servers} for size in PACKETS}
    for size, count in PACKETS.items():
        for turn in range(runs):
            names = list(servers)
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                with overlay_between(servers[name], ttcp, size, count) as (running, traffic):
                    before = processor_seconds(running.process.pid)
                    seconds = transfer(running, traffic)
                    spent = processor_seconds(running.process.pid) - before
                result[size][name].append(
                    {"rate": 8e-6 * size * count / seconds, "cpu": 1e6 * spent / count}
                )
    return result


def overlay_footprint(servers, ttcp):
    result = {}
    for name, server in servers.items():
        with overlay_between(server, ttcp, 4096, 50_000) as (running, traffic), Sampler(
            running
        ) as sampler:
            transfer(running, traffic)
        result[name] = sampler.samples
    return result


def overlay_instructions(server, ttcp):
    """Instructions of the program itself for a packet of 4 KB."""
    points = []
    for count in (2_000, 12_000):
        with overlay_between(server, ttcp, 4096, count, under_valgrind) as (running, traffic):
            transfer(running, traffic)
        points.append((count, running.instructions))
    (few, small), (many, large) = points
    return (large - small) / (many - few)


def missing_tools():
    return [tool for tool in ("wrk", "valgrind") if not shutil.which(tool)]
