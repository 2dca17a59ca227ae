"""zlib: its own tests, and minigzip over large real files, through the other compiler's minigzip
and back."""

import glob
import hashlib
import os

from toolchain import Failed, expect_same, run_program

PACKAGE = "zlib"


def build(tree):
    tree.run("./configure", env={"CC": tree.cc, "CFLAGS": "-O2"})
    tree.make("all")


def large_files():
    """Real files of several kinds, the largest of each below 20 MB."""
    found = []
    for pattern in (
        "/usr/lib/*/lib*.so*",
        "/usr/bin/*",
        "/usr/share/perl/*/unicore/*",
        "/usr/share/common-licenses/*",
    ):
        sizes = {
            os.path.realpath(path): os.path.getsize(path)
            for path in glob.glob(pattern)
            if os.path.isfile(path)
        }
        fitting = sorted(
            (path for path in sizes if sizes[path] < 20_000_000), key=lambda path: -sizes[path]
        )
        found += fitting[:2]
    return found


def check(plain, acre):
    status, output, errors = run_program(["make", "test"], cwd=acre.directory)
    if status or b"*** zlib shared test OK ***" not in output:
        raise Failed(f"make test: status {status}\n{(output + errors).decode()[-2000:]}")
    yield "its own tests pass (make test)"

    total = 0
    for path in large_files():
        with open(path, "rb") as file:
            data = file.read()
        total += len(data)
        for level in ("-1", "-6", "-9"):
            packed = [
                run_program([tree.path("minigzip64"), level], stdin=data) for tree in (plain, acre)
            ]
            expect_same(f"minigzip {level} of {path}", *packed)
            unpacked = run_program([acre.path("minigzip64"), "-d"], stdin=packed[0][1])
            if hashlib.sha256(unpacked[1]).digest() != hashlib.sha256(data).digest():
                raise Failed(f"minigzip -d of {path} at {level} gives other bytes")
    yield (
        f"minigzip packs {total >> 20} MiB of real files at three levels as plain clang's does, and"
        " back"
    )
