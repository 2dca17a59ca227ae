# SPDX-License-Identifier: MIT
"""Uses after free that nginx has had, put back into it: what happens with plain clang, with
AddressSanitizer and with acre-cc -facre-pools=nginx.

Fetches nginx 1.22.1 from Debian, puts the bugs of bugs/ back, and builds it in each way; one more
tree, by acre-cc, has the bugs mended.  Provokes each bug in each, writes docs/results/replays.md
if all bugs are run in all ways, and raw data to benchmarks/results.  Exit status: 0; 1 if a bug
could not be provoked; 77 if nginx cannot be fetched.
"""

import argparse
import contextlib
import datetime
import importlib
import inspect
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PARTS = (("benchmarks",), ("benchmarks", "ports"), ("tests", "real"))
sys.path[:0] = [HERE, *(os.path.join(ROOT, *parts) for parts in PARTS)]
sys.dont_write_bytecode = True
import common  # noqa: E402
import page  # noqa: E402
import patch  # noqa: E402
import server as servers  # noqa: E402
import sources  # noqa: E402
import toolchain  # noqa: E402

NAMES = sorted(
    name[:-3] for name in os.listdir(os.path.join(HERE, "bugs")) if name.endswith(".py")
)
CONFIGURE = (
    "--with-http_ssl_module",
    "--with-http_v2_module",
    "--with-stream",
    "--without-http_rewrite_module",
    "--without-http_gzip_module",
)
WAYS = {
    "plain": ("clang", (), {}),
    "asan": (
        "clang",
        ("-fsanitize=address",),
        {"ASAN_OPTIONS": "detect_leaks=0:log_path={directory}/found.asan"},
    ),
    **{
        policy: ("acre", ("-facre-pools=nginx",), {"ACRE_DELETE": policy})
        for policy in ("abort", "sever", "trap")
    },
    "sites": ("acre", ("-facre-pools=nginx", "-facre-sites"), {"ACRE_DELETE": "trap"}),
    "collected": (
        "acre",
        ("-facre-pools=nginx", "-facre-malloc=collected"),
        {"ACRE_DELETE": "trap"},
    ),
    "mended": ("acre", ("-facre-pools=nginx",), {"ACRE_DELETE": "trap"}),
}
LIBRARIES = (("acre", "AcrePlugin.so"), ("libacre.a",))
REQUESTS = 100


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sources", help="where nginx is fetched to; default: below --work")
    parser.add_argument("--bugs", nargs="+", choices=NAMES, default=NAMES, metavar="BUG")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY")
    parser.add_argument("--results", default=common.RESULTS, help="raw data")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "replays.md"))
    options = common.parse_programs(parser, "replays")
    options.sources = options.sources or os.path.join(options.work, "sources")
    return options


class Source(patch.Tree):
    """A copy of nginx that Debian's patches can be taken out of."""

    def unpatch(self, name):
        path = self.path("debian", "patches", name + ".patch")
        with open(path, "rb") as file:
            done = subprocess.run(
                ["patch", "-R", "-p1", "--batch"],
                cwd=self.directory,
                stdin=file,
                capture_output=True,
                text=True,
                check=False,
            )
        if done.returncode:
            raise patch.Mismatch(f"{name}: {done.stdout[-500:]}")


def bugs_of(names):
    return [importlib.import_module("bugs." + name) for name in names]


def binary_of(way, options):
    """The server built one way, with all bugs in it, or with none."""
    compiler, flags, _ = WAYS[way]
    kind = {"abort": "acre", "sever": "acre", "trap": "acre"}.get(way, way)
    cc = options.clang if compiler == "clang" else os.path.join(options.acre, "bin", "acre-cc")
    source = sources.fetch(options.sources, "nginx")
    bugs = bugs_of(NAMES)
    files = [cc, *(os.path.join(options.acre, "lib", *part) for part in LIBRARIES)]
    changes = [inspect.getsource(bug.mend if way == "mended" else bug.put_back) for bug in bugs]
    identity = toolchain.identity_of(*files) + repr((changes, flags, CONFIGURE)).replace("\n", " ")
    tree = toolchain.Tree(kind, cc, source, os.path.join(options.work, kind), identity)
    if not tree.is_current():
        changed = Source(source, tree.directory)
        for bug in bugs:
            (bug.mend if way == "mended" else bug.put_back)(changed)
        words = " ".join(flags)
        tree.run(
            "./configure",
            f"--with-cc={cc}",
            f"--with-cc-opt=-O2 -g -w {words}",
            f"--with-ld-opt={words}",
            *CONFIGURE,
        )
        tree.run("make", "-j1")
        tree.finish()
    return tree.path("objs", "nginx")


def answered(server):
    """How many of the next requests get the page."""
    return sum(
        servers.body_of(server.ask("/index.html")) == b"a page\n" for _ in range(REQUESTS)
    )


def replay(bug, way, options):
    """What is seen of a bug: answers, how workers died, what was said, requests answered after."""
    binary = binary_of(way, options)
    around = getattr(bug, "surroundings", lambda: contextlib.nullcontext({}))
    with around() as names:
        settings = WAYS[way][2]
        server = servers.Server(binary, bug.CONFIGURATION, bug.FILES, settings, names)
        result = {"provoked": True, "answers": [], "after": 0, "deaths": []}
        try:
            server.wait()
            try:
                result["answers"] = [answer.decode("latin-1") for answer in bug.provoke(server)]
            except (servers.Broken, OSError) as failure:
                result["provoked"] = str(failure)
            result["after"] = answered(server)
            result["deaths"] = server.deaths()
        except servers.Broken as failure:
            result["provoked"] = str(failure)
        finally:
            server.stop()
        result["said"] = server.said()
        server.remove()
        return result


def findings(said):
    """The distinct lines of Acre that name a slot, without what differs from run to run."""
    lines = re.findall(r"^(?:acre\[\d+\]: |  )(?:\d+ times: )?(.* pointed to .*)$", said, re.M)
    return list(dict.fromkeys(re.sub(r"\bsrc/(?:\w+/)*", "", line.strip()) for line in lines))


def main():
    options = parse_options()
    for name in ("ACRE_VERIFY", "ACRE_DELETE", "ACRE_LOG", "LD_PRELOAD", "ACRE_FLAGS"):
        os.environ.pop(name, None)
    try:
        sources.fetch(options.sources, "nginx")
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return common.SKIPPED
    results, failed = {}, []
    for name, bug in zip(options.bugs, bugs_of(options.bugs)):
        for way in options.ways:
            result = replay(bug, way, options)
            result["findings"] = findings(result["said"])
            results.setdefault(name, {})[way] = result
            shown = {key: result[key] for key in ("provoked", "answers", "deaths", "after")}
            print(f"-- {name} {way}: {shown}", flush=True)
            if result["provoked"] is not True and way != "abort":
                failed.append(f"{name} {way}")
    if failed:
        print("not provoked: " + ", ".join(failed), file=sys.stderr)
        return 1
    if set(options.bugs) == set(NAMES) and set(options.ways) == set(WAYS):
        data = {"date": datetime.date.today().isoformat(), "bugs": results}
        common.write_data(options.results, "replays", data)
        page.write(options.page, results, dict(zip(NAMES, bugs_of(NAMES))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
