# SPDX-License-Identifier: MIT
"""The programs of this benchmark, none of which uses regions.

Each has a tree for each compiler, and is either compiled file by file with the same flags or by its
own makefile.  It is run for long to be timed and shortly to be counted.
"""

import glob
import os
import re
import shutil
import subprocess

import real_jq
import sources
import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("plain", "acre")
LUA_WORK = {
    "binary_trees": ("14", "9"),
    "calls": ("33", "20"),
    "strings": ("150", "10"),
    "numbers": ("500", "50"),
}
JQ_QUERIES = {
    "groups": "[group_by(.kind)[] | {kind: .[0].kind, total: (map(.size) | add)}] | length",
    "text": "map(tojson | fromjson) == .",
}


def run(command, **options):
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, **options
    )
    if done.returncode:
        raise toolchain.Failed(
            f"{' '.join(command)[:200]}: status {done.returncode}\n{done.stderr[-1500:]}"
        )
    return done


class Program:
    """Compiled file by file.  runs: name -> arguments to time, and to count."""

    def __init__(self, name, trees, flags, units, libraries, runs):
        self.name, self.trees, self.flags, self.units, self.libraries, self.runs = (
            name,
            trees,
            flags,
            units,
            libraries,
            runs,
        )

    def compile(self, kind):
        tree = self.trees[kind]
        for unit in self.units:
            output = tree.path(unit + ".o")
            run([tree.cc, *self.flags, "-c", tree.path(unit), "-o", output], cwd=tree.directory)

    def objects(self, kind):
        return [self.trees[kind].path(unit + ".o") for unit in self.units]

    def binary(self, kind):
        return self.trees[kind].path("program")

    def link(self, kind):
        run([self.trees[kind].cc, *self.objects(kind), "-o", self.binary(kind), *self.libraries])


class Made:
    """Compiled by its own makefile.  clean, arguments: of make; {cc} is the compiler."""

    def __init__(self, name, trees, clean, arguments, made, runs):
        self.name, self.trees, self.runs = name, trees, runs
        self.clean, self.arguments, self.made = clean, arguments, made

    def compile(self, kind):
        tree = self.trees[kind]
        tree.make(*self.clean)
        tree.make(*(argument.format(cc=tree.cc) for argument in self.arguments))

    def objects(self, kind):
        return sorted(glob.glob(self.trees[kind].path("**", "*.o"), recursive=True))

    def binary(self, kind):
        return self.trees[kind].path(self.made)

    def link(self, kind):
        """The makefile has; valgrind cannot read all debug information of Clang's."""
        run(["strip", "--strip-debug", self.binary(kind)])


def prepare_trees(options, package, unneeded=()):
    source = sources.fetch(os.path.join(options.work, "sources"), package)
    trees = {}
    for kind, cc in zip(KINDS, (options.clang, os.path.join(options.acre, "bin", "acre-cc"))):
        trees[kind] = toolchain.Tree(
            kind, cc, source, os.path.join(options.work, package, kind), ""
        )
        trees[kind].prepare(unneeded)
    return trees


def prepare_sqlite(options):
    trees = prepare_trees(options, "sqlite3", ("www", "doc", "art"))
    plain = trees["plain"]
    plain.run("./configure", f"CC={plain.cc}", "CFLAGS=-O2", "--disable-readline", "--disable-tcl")
    plain.make("sqlite3.c")
    for tree in trees.values():
        for name in ("sqlite3.c", "sqlite3.h"):
            if tree is not plain:
                shutil.copy(plain.path(name), tree.path(name))
        shutil.copy(tree.path("test", "speedtest1.c"), tree.path("speedtest1.c"))
    runs = {
        "speedtest1": (
            ["--size", str(options.size), "--singlethread", ":memory:"],
            ["--size", "2", "--singlethread", ":memory:"],
        )
    }
    return Program(
        "SQLite",
        trees,
        ("-O2", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-w"),
        ["sqlite3.c", "speedtest1.c"],
        ("-lm",),
        runs,
    )


def prepare_lua(options):
    trees = prepare_trees(options, "lua5.4")
    for tree in trees.values():
        with open(tree.path("src", "lua5.4-deb-multiarch.h"), "w", encoding="utf-8") as file:
            file.write('#define DEB_HOST_MULTIARCH "none"\n')
    units = sorted(
        os.path.relpath(path, trees["plain"].directory)
        for path in glob.glob(trees["plain"].path("src", "*.c"))
        if os.path.basename(path) != "luac.c"
    )
    runs = {}
    for name, (long, short) in LUA_WORK.items():
        script = os.path.join(HERE, "lua", name + ".lua")
        runs[name] = ([script, long], [script, short])
    return Program(
        "Lua",
        trees,
        ("-std=gnu99", "-O2", "-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX", "-w"),
        units,
        ("-lm", "-ldl", "-Wl,-E"),
        runs,
    )


def prepare_jq(options):
    trees = prepare_trees(options, "jq", real_jq.UNNEEDED)
    for tree in trees.values():
        real_jq.write_definitions(tree)
    data = {}
    for count in (20000, 500):
        data[count] = os.path.join(options.work, f"records-{count}.json")
        with open(data[count], "wb") as file:
            file.write(real_jq.records(count))
    plain = trees["plain"]
    return Program(
        "jq",
        trees,
        ("-O2", "-w", "-I.", "-Isrc", *(f"-D{name}" for name in real_jq.definitions(plain))),
        [os.path.relpath(path, plain.directory) for path in real_jq.units(plain)],
        ("-lm", "-lpthread"),
        {name: ([query, data[20000]], [query, data[500]]) for name, query in JQ_QUERIES.items()},
    )


def prepare_redis(options):
    """The server reads a log of commands, the last of which ends it: so it needs no client."""
    trees = prepare_trees(options, "redis", ("jemalloc",))
    runs = {}
    for count in (400000, 10000):
        directory = os.path.join(options.work, f"redis-log-{count}")
        os.makedirs(os.path.join(directory, "appendonlydir"), exist_ok=True)
        write_redis_log(os.path.join(directory, "appendonlydir"), count)
        runs[count] = ["--port", "0", "--unixsocket", "socket", "--save", "", "--dir", directory]
        runs[count] += ["--appendonly", "yes"]
    return Made(
        "Redis",
        trees,
        ["-C", "src", "distclean"],
        ["-C", "src", "redis-server", "CC={cc}", "MALLOC=libc", "BUILD_TLS=no"],
        os.path.join("src", "redis-server"),
        {"log of commands": (runs[400000], runs[10000])},
    )


def write_redis_log(directory, count):
    state = 1

    def number(limit):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return str(state // 7 % limit)

    makers = (
        lambda: ("SET", "text:" + number(5000), "value " + number(10**6)),
        lambda: ("RPUSH", "list:" + number(50), number(10**6)),
        lambda: ("LPOP", "list:" + number(50)),
        lambda: ("HSET", "hash:" + number(200), "field" + number(100), number(10**6)),
        lambda: ("ZADD", "sorted:" + number(20), number(10**6), "member" + number(2000)),
        lambda: ("SADD", "set:" + number(100), number(10**4)),
        lambda: ("DEL", "text:" + number(5000)),
        lambda: ("EVAL", "return redis.call('INCR', KEYS[1])", "1", "count:" + number(100)),
    )
    with open(os.path.join(directory, "appendonly.aof.manifest"), "w", encoding="ascii") as file:
        file.write("file appendonly.aof.1.incr.aof seq 1 type i\n")
    with open(os.path.join(directory, "appendonly.aof.1.incr.aof"), "w", encoding="ascii") as file:
        commands = [makers[int(number(len(makers)))]() for _ in range(count)]
        for words in (("SELECT", "0"), *commands, ("SHUTDOWN", "NOSAVE", "NOW")):
            file.write(f"*{len(words)}\r\n")
            file.writelines(f"${len(word)}\r\n{word}\r\n" for word in words)


def prepare_duktape(options):
    trees = prepare_trees(options, "duktape")
    script = os.path.join(HERE, "scripts", "objects.js")
    sizes = {}
    for count in (300, 10):
        sizes[count] = os.path.join(options.work, f"objects-{count}.js")
        with open(script, encoding="utf-8") as file, open(
            sizes[count], "w", encoding="utf-8"
        ) as sized:
            sized.write(f"var rounds = {count};\n" + file.read())
    return Program(
        "Duktape",
        trees,
        (
            "-O2",
            "-w",
            "-std=c99",
            "-Isrc",
            "-Iexamples/cmdline",
            "-Iextras/print-alert",
            "-DDUK_CMDLINE_PRINTALERT_SUPPORT",
        ),
        ["src/duktape.c", "examples/cmdline/duk_cmdline.c", "extras/print-alert/duk_print_alert.c"],
        ("-lm",),
        {"objects": ([sizes[300]], [sizes[10]])},
    )


def prepare_jim(options):
    trees = prepare_trees(options, "jimtcl")
    for tree in trees.values():
        tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w", "--disable-ssl", "--disable-docs")
    script = os.path.join(HERE, "scripts", "lists.tcl")
    return Made(
        "Jim Tcl", trees, ["clean"], ["jimsh"], "jimsh", {"lists": ([script, "200"], [script, "5"])}
    )


PREPARED = (prepare_sqlite, prepare_lua, prepare_jq, prepare_redis, prepare_duktape, prepare_jim)
