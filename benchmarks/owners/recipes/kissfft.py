# SPDX-License-Identifier: MIT
"""KISS FFT, a library of Fourier transforms, and its tools."""

import hashlib
import os
import random
import re
import struct

from toolchain import run_program

PACKAGE = "kissfft"
PORT = "kissfft_port"
MEMORY = "a configuration for each transform, in one piece, from malloc or in the caller's memory"
FILES = ("*.[ch]", "tools/*.c", "test/*.[ch]")
BINARY = "tools/fft-float"
SETTINGS = ()
RUNS = {
    "small": ("-n", "30,32,64", "small.values", "out"),
    "default": ("-n", "120,128,256", "default.values", "out"),
}
OUTPUTS = ("out",)
FILTERS = ("fastconv-float", "fastconvr-float")
TRANSFORMS = (
    ("-n", "1024"),
    ("-n", "1001", "-i"),
    ("-n", "1024", "-R"),
    ("-n", "1024", "-R", "-i"),
    ("-n", "7,8,9"),
    ("-n", "8,6", "-R", "-i"),
)


def values(count, seed):
    choose = random.Random(seed)
    return struct.pack(f"<{count}f", *(choose.uniform(-1, 1) for _ in range(count)))


def write_loads(directory):
    for key, count in (("small", 2 * 30 * 32 * 64), ("default", 2 * 120 * 128 * 256)):
        with open(os.path.join(directory, key + ".values"), "wb") as file:
            file.write(values(count, count))


def build(tree, flags):
    """The library, the tools and the tests as its makefiles do, with the flags in the place of
    theirs."""
    text = " ".join([*flags, "-I..", "-I../tools"])
    settings = ("KISSFFT_DATATYPE=float", "KISSFFT_STATIC=1", f"CC={tree.cc}", f"CFLAGS={text}")
    tree.make(*settings, "all")
    if "-flto" not in flags:
        types = "TYPEFLAGS=-Dkiss_fft_scalar=float"
        names = ("tkfc-float", "st-float", "tr-float", "bm-kiss-float")
        tree.make("-C", "test", *settings, types, "KISSFFTLIB_SHORTNAME=kissfft-float", *names)


def check(tree):
    """Its tests, without testkiss.py, which needs numpy, and what the tools make of some values."""
    said = {}
    for name in ("tkfc-float", "st-float", "tr-float"):
        status, output, _ = run_program([tree.path("test", name)], cwd=tree.path("test"))
        text = re.sub(rb"snr=\S+|took .*", b"", output)  # of chance, and times
        said[name] = f"{status} {text.decode()}"
    for options in (("-n", "1024"), ("-n", "1024", "-r"), ("-n", "4,6,8"), ("-n", "4,6,8", "-r")):
        command = [tree.path("test", "bm-kiss-float"), "-x", "10", *options]
        said[" ".join(command[1:])] = run_program(command)[0]
    samples, response = tree.path("samples"), tree.path("response")
    for path, count in ((samples, 100000), (response, 300)):
        with open(path, "wb") as file:
            file.write(values(count, count))
    for options in TRANSFORMS:
        said["fft " + " ".join(options)] = answer(tree, "fft-float", *options, samples)
    for name in FILTERS:
        for options in ((), ("-d",), ("-n", "4096")):
            said[" ".join((name, *options))] = answer(
                tree, name, *options, "-h", response, "-i", samples
            )
    for options in (("-n", "256", "-r", "4"), ("-n", "256", "-r", "2", "-a", "-s")):
        said["psdpng " + " ".join(options)] = answer(tree, "psdpng-float", *options, samples)
    return said


def answer(tree, name, *words):
    status, output, errors = run_program([tree.path("tools", name), *words])
    return f"{status} {hashlib.sha256(output + errors).hexdigest()[:12]}"
