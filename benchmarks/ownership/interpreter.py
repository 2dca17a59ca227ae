# SPDX-License-Identifier: MIT
"""The Scheme interpreter, whose collector is two arenas with keys: instructions and memory of
its versions."""

import dataclasses
import glob
import os
import re

import common
import versions

PROGRAMS = sorted(
    glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scheme", "*.scm"))
)
MEMORY = re.compile(r"memory: data (\d+) reserved (\d+) resident (\d+)")


def built(options):
    """{version: the interpreter}"""
    manual = versions.owners(options.acre)
    checked = dataclasses.replace(manual, name="checked", flags=[*manual.flags, "-facre-bounds"])
    binaries = {}
    for version in (
        versions.plain(options.acre, options.clang),
        manual,
        checked,
        versions.collected(options.acre),
    ):
        directory = os.path.join(options.build, "scheme", version.name)
        os.makedirs(directory, exist_ok=True)
        binaries[version.name] = os.path.join(directory, "scheme")
        complaint = versions.build(version, "scheme", binaries[version.name])
        if complaint:
            raise OSError(f"scheme, {version.name}: {complaint}")
    return binaries


def measure_program(binary, path):
    done, counted = common.callgrind([binary, "--memory", path], text=True)
    done.check_returncode()
    data, reserved, resident = map(int, MEMORY.search(done.stdout + done.stderr).groups())
    return {
        "instructions": common.callgrind_total(counted),
        "data": data,
        "reserved": reserved,
        "resident": resident,
    }


def measure(options):
    """{program: {version: what it took}}"""
    binaries = built(options)
    return {
        os.path.basename(path): {
            name: measure_program(binary, path) for name, binary in binaries.items()
        }
        for path in PROGRAMS
    }
