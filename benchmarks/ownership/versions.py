# SPDX-License-Identifier: MIT
"""The versions of the programs of examples/ that own their memory: the same sources, told to
compilers differently."""

import dataclasses
import glob
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRICT = ["-Wall", "-Wextra", "-Werror"]


@dataclasses.dataclass
class Version:
    name: str
    compiler: str
    flags: list
    libraries: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    is_run: bool = True


def owners(acre, environment=None):
    return Version(
        "manual", os.path.join(acre, "bin", "acre-cc"), ["-O2"], environment=environment or {}
    )


def collected(acre, environment=None):
    return Version(
        "collected",
        os.path.join(acre, "bin", "acre-cc"),
        ["-O2", "-DEVERYTHING_COLLECTED", "-facre-malloc=collected"],
        environment=environment or {},
    )


def _other(acre, name, compiler, flags, **more):
    """Another compiler, to which the words of own.h are nothing."""
    return Version(
        name,
        compiler,
        ["-I" + os.path.join(ROOT, "include"), *flags],
        [os.path.join(acre, "lib", "libacre.a"), "-lpthread"],
        **more,
    )


# What an arena with a key is in a program that has other arenas (examples/scheme/memory.h).
PLAIN_ARENAS = "-DPLAIN_ARENAS"


def plain(acre, clang):
    return _other(acre, "plain", clang, ["-O2", PLAIN_ARENAS])


def of_tests(acre, clang):
    sanitizers = [
        "-O1",
        "-g",
        PLAIN_ARENAS,
        "-DPLAIN_ARENA_BLOCK=0",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ]
    settings = {
        "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    every = [
        owners(acre, {"ACRE_VERIFY": "1"}),
        _other(acre, "sanitized", clang, sanitizers, environment=settings),
        collected(acre, {"ACRE_HEAP": "growth=256K,poison,check"}),
    ]
    if shutil.which("gcc"):
        every.append(_other(acre, "gcc", "gcc", ["-O2"], is_run=False))
        every.append(_other(acre, "gcc, plain arenas", "gcc", ["-O2", PLAIN_ARENAS], is_run=False))
    return every


def sources(program):
    return sorted(
        path
        for directory in ("events", program)
        for path in glob.glob(os.path.join(ROOT, "examples", directory, "*.c"))
    )


def build(version, program, binary):
    """Returns what the compiler said."""
    command = [
        version.compiler,
        "-std=gnu17",
        *STRICT,
        *version.flags,
        *sources(program),
        *version.libraries,
        "-lm",
    ]
    done = subprocess.run(
        [*command, "-o", binary],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
    )
    return done.stdout or ("" if done.returncode == 0 else f"status {done.returncode}")
