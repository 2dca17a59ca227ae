# SPDX-License-Identifier: MIT
"""The programs of examples/ that own their memory: annotations, throughput, memory over time,
compile time.

Repeats what "Experience With Safe Manual Memory-Management in Cyclone" measures of its servers.
Writes raw data to benchmarks/results/<date>-<machine>/ownership.json and the page to
docs/results/ownership.md.  Exit status: 0; 1 if something failed; 77 if wrk or valgrind is missing.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [
    os.path.join(ROOT, *parts)
    for parts in (
        ("benchmarks",),
        ("benchmarks", "ownership"),
        ("tests", "servers"),
        ("tests", "real"),
    )
]
sys.dont_write_bytecode = True
import common  # noqa: E402
import compile_time  # noqa: E402
import drive  # noqa: E402
import figures  # noqa: E402
import interpreter  # noqa: E402
import page  # noqa: E402
import program  # noqa: E402
import sources  # noqa: E402
import versions  # noqa: E402
import words  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def build(options, name):
    """{version: the server}"""
    servers = {}
    for version in (
        versions.plain(options.acre, options.clang),
        versions.owners(options.acre),
        versions.collected(options.acre),
    ):
        directory = os.path.join(options.build, name, version.name)
        servers[version.name] = program.Program(
            os.path.join(directory, name), dict(os.environ), version.name, directory
        )
        complaint = versions.build(version, name, servers[version.name].binary)
        if complaint:
            raise program.Failed(f"{name}, {version.name}: {complaint}")
    return servers


def measure_webserver(options):
    servers, site = build(options, "webserver"), drive.make_site(
        os.path.join(options.build, "site")
    )
    return {
        "throughput": drive.web_throughput(servers, site, options.runs, options.seconds),
        "footprint": drive.web_footprint(servers, site, 2 * options.seconds + 2),
        "instructions": {
            name: drive.web_instructions(servers[name], site) for name in ("plain", "manual")
        },
    }


def measure_overlay(options):
    servers, ttcp = build(options, "overlay"), os.path.join(options.build, "ttcp")
    subprocess.run(
        [options.clang, "-O2", os.path.join(HERE, "ttcp.c"), "-lpthread", "-o", ttcp], check=True
    )
    return {
        "throughput": drive.overlay_throughput(servers, ttcp, options.runs),
        "footprint": drive.overlay_footprint(servers, ttcp),
        "instructions": {
            name: drive.overlay_instructions(servers[name], ttcp) for name in ("plain", "manual")
        },
    }


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).splitlines()[0]


def measure_all(options):
    for name in ("ACRE_VERIFY", "ACRE_HEAP", "ACRE_FLAGS"):
        os.environ.pop(name, None)
    load = [os.getloadavg()[0]]
    data = {
        "command": f"benchmarks/ownership/run.py --runs {options.runs} --seconds {options.seconds}",
        "date": time.strftime("%Y-%m-%d"),
        "machine": common.machine(),
        "runs": options.runs,
        "seconds": options.seconds,
        "clients": drive.CLIENTS,
        "words": words.measure(options.acre),
        "versions": [
            first_line(options.clang, "--version"),
            first_line("wrk", "-v"),
            first_line("ldd", "--version"),
        ],
    }
    data["webserver"] = measure_webserver(options)
    data["overlay"] = measure_overlay(options)
    data["scheme"] = interpreter.measure(options)
    data["compile"] = compile_time.examples(options, options.compile_runs)
    data["load"] = [*load, os.getloadavg()[0]]
    common.write_data(options.results, "ownership", data)  # the rest takes long
    try:
        data["compile"].update(
            compile_time.real_programs(options, max(1, options.compile_runs // 2))
        )
    except sources.Unavailable as reason:
        print(f"SQLite, Lua and zlib are skipped: {reason}")
    common.write_data(options.results, "ownership", data)
    return data


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre", default=os.path.join(ROOT, "build"), help="build directory")
    parser.add_argument("--clang", default=shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang")
    parser.add_argument("--runs", type=int, default=5, help="turns")
    parser.add_argument("--seconds", type=int, default=2, help="of each turn of the web server")
    parser.add_argument("--compile-runs", type=int, default=7)
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "ownership.md"))
    parser.add_argument("--from", dest="measured", help="raw data to write the page from")
    options = parser.parse_args()
    options.acre = os.path.abspath(options.acre)
    options.build = os.path.join(options.acre, "benchmarks", "ownership")
    return options


def main():
    options = parse_options()
    if not options.measured and drive.missing_tools():
        print(f"skipped: {', '.join(drive.missing_tools())} not installed")
        return 77
    try:
        if options.measured:
            with open(options.measured, encoding="utf-8") as file:
                data = json.load(file)
        else:
            data = measure_all(options)
    except (program.Failed, subprocess.SubprocessError, OSError) as failure:
        print(failure, file=sys.stderr)
        return 1
    page.write(options.page, data, figures.draw_all(data, os.path.splitext(options.page)[0]))
    print(page.bars(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
