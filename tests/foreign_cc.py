"""acre-cc for another machine: the programs that it links are run by an emulator.

usage: foreign_cc.py ACRE-CC TRIPLE EMULATOR ARGUMENT...

Runs ACRE-CC with --target=TRIPLE.  A program that it has linked goes into the folder .foreign
beside where it was to be, and in its place comes a script that has EMULATOR, which may be several
words, run it.  So tests need not know where their programs run.
"""

import os
import shlex
import struct
import subprocess
import sys

EXECUTABLE, SHARED = 2, 3  # types of ELF files
INTERPRETER = 3  # the type of a segment
FLAGS_1, PIE = 0x6FFFFFFB, 0x08000000  # of a program without an interpreter: static-pie
DYNAMIC = 2


def segments(data):
    (start,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, start + i * size)
        yield kind, offset, length


def is_marked_as_program(data, offset, length):
    words = struct.iter_unpack("<QQ", data[offset : offset + length // 16 * 16])
    return any(tag == FLAGS_1 and value & PIE for tag, value in words)


def is_program(path):
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"\x7fELF"):
        return False
    (kind,) = struct.unpack_from("<H", data, 16)
    return kind == EXECUTABLE or (
        kind == SHARED
        and any(
            type_ == INTERPRETER
            or (type_ == DYNAMIC and is_marked_as_program(data, offset, length))
            for type_, offset, length in segments(data)
        )
    )


def output_of(arguments):
    for i, argument in enumerate(arguments):
        if argument == "-o" and i + 1 < len(arguments):
            return arguments[i + 1]
    return "a.out"


def put_script(output, emulator):
    folder = os.path.join(os.path.dirname(os.path.abspath(output)), ".foreign")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, os.path.basename(output))
    os.replace(output, program)
    with open(output, "w", encoding="utf-8") as script:
        script.write(
            f'#!/bin/sh\nulimit -c 0\nexec {emulator} -0 "$0" {shlex.quote(program)} "$@"\n'
        )
    os.chmod(output, 0o755)


def main():
    acre_cc, triple, emulator, *arguments = sys.argv[1:]
    status = subprocess.run([acre_cc, f"--target={triple}", *arguments]).returncode
    if status:
        return status if status > 0 else 128 - status
    output = output_of(arguments)
    if is_program(output):
        put_script(output, emulator)
    return 0


if __name__ == "__main__":
    sys.exit(main())
