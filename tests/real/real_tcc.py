"""The Tiny C Compiler: its own tests, and what it makes of its own source and of Lua's, bit by
bit."""

import glob
import os

import sources
from toolchain import Failed, expect_same, run_program

PACKAGE = "tcc"


def build(tree):
    tree.run("./configure", f"--cc={tree.cc}", "--extra-cflags=-O2")
    tree.make()


def tcc(tree, *arguments, cwd):
    return run_program(
        [tree.path("tcc"), f"-B{tree.directory}", f"-I{tree.path('include')}", *arguments], cwd=cwd
    )


def expect_same_object(plain, acre, directory, source, flags):
    """Both compilers run in the same directory, so that the names in the object are the same."""
    objects = []
    for tree in (plain, acre):
        target = tree.path("compared.o")
        objects.append(tcc(tree, *flags, "-c", source, "-o", target, cwd=directory))
        with open(target, "rb") as file:
            objects[-1] += (file.read(),)
    expect_same(f"tcc -c {source}", objects[0][:3], objects[1][:3])
    if objects[0][3] != objects[1][3]:
        raise Failed(f"tcc -c {source}: the object files differ")


def check(plain, acre):
    runs = [
        run_program(["make", "-C", tree.path("tests", "tests2"), "-k"]) for tree in (plain, acre)
    ]
    ran = [
        [
            line
            for line in (run[1] + run[2]).splitlines()
            if line.startswith((b"Test:", b"make[1]: ***", b"make: ***"))
        ]
        for run in runs
    ]
    if ran[0] != ran[1] or runs[0][0] != runs[1][0]:
        raise Failed(
            f"tests2: {set(ran[0]) ^ set(ran[1])}\n{runs[1][2].decode(errors='replace')[-1500:]}"
        )
    yield (
        f"its own {sum(line.startswith(b'Test:') for line in ran[0])} programs (tests2) behave as"
        " with plain clang"
    )

    expect_same_object(plain, acre, plain.directory, "tcc.c", ("-DONE_SOURCE=1", "-I."))
    yield "it compiles itself to the same object file"
    lua = os.path.join(os.path.dirname(os.path.dirname(acre.source)), "lua5.4")
    try:
        directory = os.path.join(sources.fetch(os.path.dirname(lua), "lua5.4"), "src")
        units = sorted(os.path.basename(path) for path in glob.glob(os.path.join(directory, "*.c")))
        for unit in units:
            expect_same_object(plain, acre, directory, unit, ("-g",))
        yield f"it compiles Lua's {len(units)} files to the same object files"
    except sources.Unavailable as reason:
        yield f"Lua's source is not to be had: {reason}"
