"""sparse: its own test-suite, and its own sources checked in one process beside unmodified
sparse file by file."""

import os
import re
import shutil
import sys

import sources
import toolchain
from toolchain import Failed, first_difference, run_program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "benchmarks", "ports", "sparse"))
import sparse_port as port  # noqa: E402

PACKAGE = port.PACKAGE
MOST_TOUCHED = 0.006  # of the lines


class Build:
    """One way of building a tree: its tools in a directory of their own."""

    def __init__(self, name, compiler, directory, work, options=(), libraries=(), is_blobs=False):
        self.name, self.compiler, self.libraries, self.is_blobs = (
            name,
            compiler,
            libraries,
            is_blobs,
        )
        self.directory, self.work = directory, os.path.join(work, name)
        self.options = options

    def make(self):
        flags = port.flags(self.directory)
        if not flags:
            raise sources.Unavailable("gcc is not installed")
        os.makedirs(self.work, exist_ok=True)
        tree = toolchain.Tree(self.name, self.compiler, self.directory, self.work, "")
        library = port.library_sources(self.directory, self.is_blobs)
        for tool in port.TOOLS:
            tree.compile(
                ("-O2", *flags, *self.options),
                [*library, os.path.join(self.directory, tool + ".c")],
                tree.path(tool),
                self.libraries,
            )

    def tool(self, name):
        return os.path.join(self.work, name)

    def check(self, paths):
        """What sparse says of files, with the verifier on where there are regions."""
        status, output, errors = run_program(
            [self.tool("sparse"), *port.ARGUMENTS, "-v", "-Wall", *paths]
        )
        if status not in (0, 1) or output:
            raise Failed(f"{self.name}: status {status}\n{errors.decode(errors='replace')[-3000:]}")
        return errors


def builds(original, ported, work, options):
    acre_cc = os.path.join(options.acre, "bin", "acre-cc")
    library = os.path.join(options.acre, "lib", "libacre.a"), "-lpthread"
    include = (f"-I{os.path.join(ROOT, 'include')}",)
    return (
        Build("original", options.clang, original, work, is_blobs=True),
        Build("blobs", options.clang, ported, work, ("-DMEMORY_BLOBS",), is_blobs=True),
        Build("malloc", options.clang, ported, work, ("-DMEMORY_MALLOC",)),
        Build("regions", options.clang, ported, work, include, library),
        Build("counted", acre_cc, ported, work),
        Build("verified", acre_cc, ported, work, ("-facre-checks=verified",)),
    )


def run_suite(build, work):
    """The results of sparse's test-suite: {test: what became of it}."""
    place = os.path.join(work, "suite")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(os.path.join(build.directory, "validation"), os.path.join(place, "validation"))
    for tool in port.TOOLS:
        os.symlink(build.tool(tool), os.path.join(place, tool))
    _, output, _ = run_program([os.path.join(place, "validation", "test-suite")], timeout=600)
    text = output.decode(errors="replace")
    results = {
        test: what
        for what, test in re.findall(r"^\w+: (FAIL|XFAIL|XPASS): test '([^']+)'", text, re.M)
    }
    total = re.search(r"^(?:OK|KO): out of (\d+) tests", text, re.M)
    if not total:
        raise Failed(f"{build.name}: the test-suite does not end: {text[-1000:]}")
    return int(total.group(1)), results


def compare_suites(build, work, wanted):
    """The port forgets a file when it begins the next, so it may pass a test that sparse is
    known to fail."""
    total, results = run_suite(build, work)
    passed = sorted(test for test, what in results.items() if what == "XPASS")
    differing = {
        test: what
        for test, what in results.items()
        if wanted[1].get(test) != what and what != "XPASS"
    }
    if total != wanted[0] or differing:
        raise Failed(f"{build.name}: {total} tests of {wanted[0]}; other results: {differing}")
    return f"{build.name}: the test-suite's {total} results are those of unmodified sparse" + (
        f"; passes although sparse does not: {', '.join(passed)}" if passed else ""
    )


def check(source, work, options):
    original, ported = os.path.join(work, "original-source"), os.path.join(work, "ported-source")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    shutil.copytree(source, original, symlinks=True)
    port.write_version(original)
    changes = port.port(source, ported).changes()
    if changes["touched"] > MOST_TOUCHED * changes["lines"]:
        raise Failed(f"{changes['touched']} of {changes['lines']} lines are touched")
    yield (
        f"{changes['touched']} of {changes['lines']} lines touched, in {changes['files']} files; "
        f"{changes['annotations']} annotations"
    )

    plain, *others = builds(original, ported, work, options)
    plain.make()
    paths = port.checked_sources(original)
    wanted = b"".join(plain.check([path]) for path in paths)
    suite = run_suite(plain, work)
    for build in others:
        build.make()
        # Each unit's end is seen from the next; sparse's own allocators let one file see the last.
        said = (
            b"".join(build.check([path]) for path in paths)
            if build.is_blobs
            else build.check(paths)
        )
        if said != wanted:
            raise Failed(f"{build.name}: {first_difference(wanted, said)}")
        yield f"{build.name}: the same {len(wanted.splitlines())} lines about {len(paths)} files"
        if build.name in ("counted", "verified"):
            yield compare_suites(build, work, suite)
