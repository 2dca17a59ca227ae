#!/usr/bin/env python3
"""The C of a page compiles, runs and prints what the page says.

usage: blocks.py ACRE-CC PAGE...

Every block ```c is taken as it stands.  One with `main` is a program: it is built and run by the
first command of acre-cc that follows it before the next such block, or by `acre-cc -O2 block.c`; a
block ```text before the next ```c is all that it prints.  One without `main` that a command and
such a block follow is compiled by that command, which prints this.  Any other is compiled by
itself, and neither may draw a warning.  Exit status: 1 if a block fails, each said with its line.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"acre-cc [^`\n]*?(\w+\.c)[^`\n]*")
DEFAULT = "acre-cc -O2 block.c -o block && ./block"


def blocks(text):
    """(line, language, contents, the text up to the next block) of each block."""
    found = list(BLOCK.finditer(text))
    for block, following in zip(found, found[1:] + [None]):
        end = following.start() if following else len(text)
        line = text.count("\n", 0, block.start()) + 1
        yield line, block[2], textwrap.dedent(block[3]), text[block.end() : end]


def sources(text):
    """(line, source, command, printed) of each block of C; command is None if it is no program."""
    current = None
    for line, language, contents, after in blocks(text):
        if language == "c":
            if current:
                yield current
            command = COMMAND.search(after)
            follows = command and command[0]
            is_program = re.search(r"\bmain\(", contents)
            current = [
                line,
                contents,
                (command[0] if command else DEFAULT) if is_program else None,
                None,
            ]
        elif language == "text" and current:
            current[2] = current[2] or follows
            current[3] = contents if current[2] else None
    if current:
        yield current


def run(command, folder, compiler, may_warn):
    """(exit status, output) on a terminal, as a reader sees it; without what a shell says of a
    program that aborts."""
    flags = "-Wall -fno-color-diagnostics" + ("" if may_warn else " -Werror")
    ours, theirs = os.openpty()
    path = os.path.dirname(compiler) + os.pathsep + os.environ["PATH"]
    process = subprocess.Popen(
        ["sh", "-c", command.replace("&& ./", "&& exec ./")],
        cwd=folder,
        env={**os.environ, "PATH": path, "ACRE_FLAGS": flags},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 4096):
            output += part
    except OSError:  # the last writer has gone
        pass
    os.close(ours)
    return process.wait(), output.decode().replace("\r\n", "\n")


def fault(source, command, printed, compiler):
    """What is wrong with a block, or None."""
    name = COMMAND.match(command)[1] if command else "block.c"
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, name).write_text(source)
        is_judged = printed is not None and not re.search(r"\bmain\(", source)
        status, output = run(command or f"acre-cc -c {name}", folder, compiler, is_judged)
    if printed is not None:
        return None if output == printed else f"prints\n{output}instead of\n{printed}"
    return None if status == 0 else f"exits with {status}:\n{output}"


def main():
    compiler, count, faults = os.path.abspath(sys.argv[1]), 0, 0
    for page in sys.argv[2:]:
        for line, source, command, printed in sources(pathlib.Path(page).read_text()):
            count += 1
            wrong = fault(source, command, printed, compiler)
            if wrong:
                faults += 1
                print(f"{page}:{line}: the block {wrong}")
    print(f"{count} blocks, {faults} wrong")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
