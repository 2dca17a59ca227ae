#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what a server costs whose pools are regions by a map (-facre-pools): nginx, of Debian's
source, with plain clang and its own pools, and with acre-cc, both at -O2.

Five loads of wrk, which keeps twenty connections busy, run in turn on both servers, five times.
Processor time is the server's, user and system; memory is its largest resident set.  At the end 500
connections that have had one answer are left open.  Writes raw data to
benchmarks/results/<date>-<machine>/pools.json and the page docs/results/pools.md.
"""

import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(ROOT / "tests" / "real")]
import common  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402

ROUNDS = 5
SECONDS = 3
IDLE = 500
CONFIGURATION = """
daemon off;
master_process off;
pid {directory}/pid;
error_log {directory}/error.log;
events {{ worker_connections 1200; }}
http {{
  access_log off;
  server {{
    listen 127.0.0.1:{port};
    root {directory}/pages;
    location /parts {{ ssi on; }}
    location /again/ {{ proxy_pass http://127.0.0.1:{port}/; }}
  }}
}}
"""
PAGES = {
    "small": b"hello\n",
    "large": b"0123456789abcdef" * 4096,
    "parts": b'<!--#include virtual="/small" --> and <!--#include virtual="/small" -->\n',
}
# What is asked for, and what wrk is told besides.
LOADS = {
    "6 bytes": ("small", ()),
    "6 bytes, a connection each": ("small", ("-H", "Connection: close")),
    "64 KiB": ("large", ()),
    "two parts (SSI)": ("parts", ()),
    "6 bytes from itself (proxy)": ("again/small", ()),
}
KINDS = ("plain", "pools")


def build(acre, directory):
    """The two servers."""
    source = sources.fetch(os.path.join(directory, "sources"), "nginx")
    servers = {}
    for kind, cc, option in (
        ("plain", "clang-22", ""),
        ("pools", str(acre / "bin" / "acre-cc"), " -facre-pools=nginx"),
    ):
        tree = toolchain.Tree(kind, cc, source, os.path.join(directory, kind), "")
        tree.prepare()
        tree.run(
            "./configure",
            f"--with-cc={cc}",
            f"--with-cc-opt=-O2 -w{option}",
            f"--with-ld-opt={option}",
            "--without-http_rewrite_module",
            "--without-http_gzip_module",
        )
        tree.make()
        servers[kind] = tree.path("objs", "nginx")
    return servers


class Server:
    """A server that runs until close."""

    def __init__(self, binary, directory):
        os.makedirs(os.path.join(directory, "logs"))
        os.makedirs(os.path.join(directory, "pages"))
        for name, content in PAGES.items():
            pathlib.Path(directory, "pages", name).write_bytes(content)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        pathlib.Path(directory, "conf").write_text(
            CONFIGURATION.format(directory=directory, port=self.port)
        )
        self.process = subprocess.Popen(
            [binary, "-p", directory, "-c", "conf"], stderr=subprocess.DEVNULL
        )
        while not os.path.exists(os.path.join(directory, "pid")):
            if self.process.poll() is not None:
                sys.exit("run.py: the server does not start")
            time.sleep(0.05)

    def processor_seconds(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kilobytes(self, name):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s*(\d+)", status, re.M).group(1))

    def load(self, page, options):
        before = self.processor_seconds()
        done = subprocess.run(
            ["wrk", "-t1", "-c20", f"-d{SECONDS}", "--latency", *options]
            + [f"http://127.0.0.1:{self.port}/{page}"],
            capture_output=True,
            text=True,
            check=True,
        )
        used = self.processor_seconds() - before
        requests = int(re.search(r"(\d+) requests in", done.stdout).group(1))
        rate = float(re.search(r"Requests/sec:\s*([\d.]+)", done.stdout).group(1))
        late, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", done.stdout).groups()
        if "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
            sys.exit(f"run.py: the server fails under load:\n{done.stdout}")
        return {
            "rate": rate,
            "processor": used / requests * 1e6,
            "late": float(late) * {"us": 1, "ms": 1e3, "s": 1e6}[unit],
        }

    def keep_idle(self):
        """Kilobytes for each connection that has had an answer and is left open."""
        before = self.kilobytes("VmRSS")
        request = b"GET /small HTTP/1.1\r\nHost: here\r\n\r\n"
        connections = []
        for _ in range(IDLE):
            connection = socket.create_connection(("127.0.0.1", self.port))
            connection.sendall(request)
            if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
                sys.exit("run.py: the server does not answer")
            connections.append(connection)
        more = self.kilobytes("VmRSS") - before
        for connection in connections:
            connection.close()
        return more / IDLE

    def close(self):
        self.process.send_signal(signal.SIGQUIT)
        if self.process.wait(60):
            sys.exit(f"run.py: the server ended with {self.process.returncode}")


def measure(acre):
    loads = {load: {kind: [] for kind in KINDS} for load in LOADS}
    memory = {}
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        servers = {
            kind: Server(binary, os.path.join(directory, "run-" + kind))
            for kind, binary in build(acre, directory).items()
        }
        for turn in range(ROUNDS):
            for load, (page, options) in LOADS.items():
                for kind in KINDS:
                    loads[load][kind].append(servers[kind].load(page, options))
            print(f"round {turn + 1} of {ROUNDS}", flush=True)
        for kind, server in servers.items():
            memory[kind] = {"largest": server.kilobytes("VmHWM"), "idle": server.keep_idle()}
            server.close()
    return {"loads": loads, "memory": memory}


def spread(runs, name, digits):
    values = [run[name] for run in runs]
    return (
        f"{statistics.median(values):,.{digits}f}"
        f" ({min(values):,.{digits}f} to {max(values):,.{digits}f})"
    )


def ratio(row, name):
    return statistics.median(
        pools[name] / plain[name] for plain, pools in zip(row["plain"], row["pools"])
    )


def write_page(path, data):
    lines = [
        "# What a map of pools costs",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        f"Machine: {data['machine']}.",
        "",
        "nginx 1.22.1 of Debian's source, one process, with plain clang and its own pools, and",
        "with `-facre-pools=nginx`, both at `-O2`; no line of it is changed. wrk keeps twenty",
        f"connections busy for {SECONDS} s, on both servers in turn, {ROUNDS} times. Medians, with",
        "the least and the most; ratios are medians of those of the turns. Worst first.",
        "",
        "| load | requests a second, plain | with the map | ratio |"
        " processor time of one, plain, µs | with the map | ratio | 99 of 100 within, ratio |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    rows = sorted(data["loads"].items(), key=lambda row: -ratio(row[1], "processor"))
    for load, row in rows:
        lines.append(
            f"| {load} | {spread(row['plain'], 'rate', 0)} | {spread(row['pools'], 'rate', 0)} |"
            f" {ratio(row, 'rate'):.2f} | {spread(row['plain'], 'processor', 1)} |"
            f" {spread(row['pools'], 'processor', 1)} | {ratio(row, 'processor'):.2f} |"
            f" {ratio(row, 'late'):.2f} |"
        )
    plain, pools = data["memory"]["plain"], data["memory"]["pools"]
    lines += [
        "",
        "| memory | plain | with the map | ratio |",
        "|---|---:|---:|---:|",
        f"| largest resident set, MB | {plain['largest'] / 1024:.1f} |"
        f" {pools['largest'] / 1024:.1f} | {pools['largest'] / plain['largest']:.1f} |",
        f"| each of {IDLE} idle connections, kB | {plain['idle']:.1f} | {pools['idle']:.1f} |"
        f" {pools['idle'] / plain['idle']:.1f} |",
        "",
        "Each request of nginx leaves pointers to it behind, in the connection and elsewhere. To",
        "find and sever them when its pool ends, and to search the stacks, is most of the cost.",
        "",
    ]
    path.write_text("\n".join(lines))


if __name__ == "__main__":
    try:
        sys.exit(common.main("pools", __doc__, ("wrk", "clang-22", "make"), measure, write_page))
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        sys.exit(common.SKIPPED)
    except toolchain.Failed as failure:
        sys.exit(f"run.py: {failure}")
