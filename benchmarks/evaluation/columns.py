# SPDX-License-Identifier: MIT
"""The columns of the evaluation: the same programs at -O2, by several compilers and allocators.

A column is a mode of programs.py with further options and an environment.  A column that this
machine cannot have is named with its reason; it is never left out in silence.
"""

import dataclasses
import os
import re
import shutil
import subprocess
import sys

import programs

PACKAGES = {
    "mimalloc": "libmimalloc2.0",
    "jemalloc": "libjemalloc2",
    "bdwgc": "libgc-dev",
    "talloc": "libtalloc-dev",
    "apr": "libapr1-dev",
    "valgrind": "valgrind",
    "wrk": "wrk",
}
COMPARED = (
    "malloc",
    "mimalloc",
    "norc",
    "inf",
    "norc-lto",
    "inf-lto",
)  # whose ratios come near the bars of the page


@dataclasses.dataclass(frozen=True)
class Column:
    name: str
    what: str
    mode: programs.Mode
    preload: str = ""  # the soname of an allocator's library

    @property
    def is_counted(self):
        return self.mode.name in ("counted", "unannotated")


def shared_library(soname):
    """The path of a library that the loader knows, or null."""
    done = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False)
    found = re.search(
        rf"^\s*{re.escape(soname)} \(libc6,x86-64[^)]*\) => (\S+)$", done.stdout, re.M
    )
    return found.group(1) if found else None


def all_columns(acre, clang):
    mode = programs.modes(acre, clang)

    def counted(*options):
        return dataclasses.replace(mode["counted"], options=options)

    whole = dataclasses.replace(
        mode["regions"], options=(*mode["regions"].options, "-flto", "-fuse-ld=lld")
    )
    return (
        Column(
            "own",
            "the program as it is, with an allocator of its own: plain clang",
            programs.Mode("own", clang),
        ),
        Column("malloc", "malloc and free of glibc", mode["malloc"]),
        Column(
            "mimalloc", "the same program, mimalloc preloaded", mode["malloc"], "libmimalloc.so.2"
        ),
        Column(
            "jemalloc", "the same program, jemalloc preloaded", mode["malloc"], "libjemalloc.so.2"
        ),
        Column("bdwgc", "malloc of bdwgc, nothing freed", mode["collected"]),
        Column("talloc", "the same regions as contexts of talloc", mode["talloc"]),
        Column("apr", "the same regions as pools of APR", mode["apr"]),
        Column("norc", "regions, not counted: plain clang", mode["regions"]),
        Column(
            "nq",
            "counted, annotations ignored: `-facre-checks=all -facre-ignore-annotations`",
            counted("-facre-checks=all", "-facre-ignore-annotations"),
        ),
        Column(
            "qs",
            "counted, every annotation checked: `-facre-checks=all`",
            counted("-facre-checks=all"),
        ),
        Column("inf", "counted, what is proved not checked: the default", counted()),
        Column(
            "nc",
            "counted, no annotation checked: `-facre-checks=none`",
            counted("-facre-checks=none"),
        ),
        Column("norc-lto", "norc with `-flto`", whole),
        Column("inf-lto", "inf with `-flto`", counted("-flto")),
    )


def available(columns):
    """Those columns that this machine can run, and the reasons of the others by name."""
    present, skipped = [], {}
    for column in columns:
        if column.preload and not shared_library(column.preload):
            skipped[column.name] = (
                f"{column.preload} is not installed (Debian package {PACKAGES[column.name]})"
            )
        elif column.mode.name != "own" and not programs.is_available(column.mode):
            package = PACKAGES.get(column.name)
            skipped[column.name] = (
                f"not installed (Debian package {package})" if package else "its compiler fails"
            )
        else:
            present.append(column)
    return present, skipped


def install_missing(columns):
    """As root on Debian, installs what optional columns and measurements need.  What fails is
    skipped later."""
    is_missing = {
        column.name: bool(column.preload) and not shared_library(column.preload)
        for column in columns
    }
    for name, header in (("bdwgc", "gc.h"), ("talloc", "talloc.h"), ("apr", "apr-1.0/apr_pools.h")):
        is_missing[name] = not os.path.exists(os.path.join("/usr/include", header))
    is_missing.update({tool: not shutil.which(tool) for tool in ("valgrind", "wrk")})
    wanted = [PACKAGES[name] for name, missing in is_missing.items() if missing]
    if wanted and os.geteuid() == 0 and shutil.which("apt-get"):
        print("installing " + " ".join(wanted), flush=True)
        for command in (["update"], ["install", "-y", "--no-install-recommends", *wanted]):
            subprocess.run(["apt-get", "-qq", *command], stdout=subprocess.DEVNULL, check=False)


def install_matplotlib():
    """Whether matplotlib is there, or could be installed for this very python3."""

    def is_there():
        probe = [sys.executable, "-c", "import matplotlib"]
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0

    if is_there():
        return True
    if os.geteuid() == 0:
        is_debians = os.path.realpath(sys.executable).startswith("/usr/bin/")
        command = (
            ["apt-get", "-qq", "install", "-y", "--no-install-recommends", "python3-matplotlib"]
            if is_debians
            else [sys.executable, "-m", "pip", "install", "-q", "matplotlib"]
        )
        subprocess.run(command, capture_output=True, check=False)
    return is_there()
