"""Lua: programs of our own over every part of the interpreter, the output compared with plain
clang's."""

import glob
import os

from toolchain import Failed, expect_region_gone, expect_same, first_difference, host, run_program

PACKAGE = "lua5.4"
FLAGS = ("-std=gnu99", "-O2", "-Wall", "-Wextra", "-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX")
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lua")


def library_sources(tree):
    return sorted(
        path
        for path in glob.glob(tree.path("src", "*.c"))
        if os.path.basename(path) not in ("lua.c", "luac.c")
    )


def build(tree):
    # The package's own build makes this header; it holds the directory of C modules.
    with open(tree.path("src", "lua5.4-deb-multiarch.h"), "w", encoding="utf-8") as file:
        file.write(
            "#ifndef _LUA_DEB_MULTIARCH_\n#define _LUA_DEB_MULTIARCH_\n#define DEB_HOST_MULTIARCH"
            ' "none"\n#endif\n'
        )
    library, flags, libraries = (
        library_sources(tree),
        (*FLAGS, f"-I{tree.path('src')}"),
        ("-lm", "-ldl"),
    )
    tree.compile(
        flags, [*library, tree.path("src", "lua.c")], tree.path("lua"), (*libraries, "-Wl,-E")
    )
    tree.compile(flags, [*library, tree.path("src", "luac.c")], tree.path("luac"), libraries)
    if tree.kind == "acre":
        tree.compile(
            flags, [*library, host("lua_in_region.c")], tree.path("lua_in_region"), libraries
        )


def scripts():
    return sorted(glob.glob(os.path.join(SCRIPTS, "*.lua")))


def compare(plain, acre):
    for script in scripts():
        name = os.path.basename(script)
        results = [
            run_program(["./lua", "-W", script], cwd=tree.directory) for tree in (plain, acre)
        ]
        expect_same(f"lua {name}", *results)
        yield (
            f"lua {name}: the same {len(results[0][1].splitlines())} lines, exit status"
            f" {results[0][0]}"
        )
        code = [
            run_program(["./luac", "-o", "-", script], cwd=tree.directory) for tree in (plain, acre)
        ]
        expect_same(f"luac {name}", *code)
    yield "luac compiles all of them to the same bytes"


def check(plain, acre):
    yield from compare(plain, acre)
    said = b"".join(
        run_program(["./lua", "-W", script], cwd=plain.directory)[1] for script in scripts()
    )
    hosted = run_program(["./lua_in_region", *scripts()], cwd=acre.directory)
    expect_region_gone("Lua in regions", hosted, len(scripts()))
    if hosted[1] != said:
        raise Failed(f"Lua in regions: {first_difference(said, hosted[1])}")
    yield (
        f"{len(scripts())} Lua states in regions of their own: the same output, every region"
        " deleted"
    )
