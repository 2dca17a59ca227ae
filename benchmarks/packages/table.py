# SPDX-License-Identifier: MIT
"""The packages: how each is configured, made and tested, and what was found in it."""

import dataclasses

import readers


@dataclasses.dataclass(frozen=True)
class Package:
    """Commands are the shell's, in the directory `below` the tree; $CC and $CFLAGS are set.  Null
    for a step that the package does not have.  `explained` gives, by run, why tests differ though
    Acre is not wrong."""

    name: str
    source: str
    configure: str | None
    build: str | None
    test: str
    read: object = readers.automake
    below: str = ""
    limit: int = 900
    without: tuple = ()
    explained: dict = dataclasses.field(default_factory=dict)
    found: tuple = ()


# The tools that would generate documents are not needed.
TOOLS = "MAKEINFO=true HELP2MAN=true"


def gnu(name, *options, source=None, **more):
    """A package with a configure script of Autoconf's."""
    words = " ".join(options)
    # The archives of some packages lose the mode of scripts.
    how = {
        "configure": f'sh ./configure CC="$CC" CFLAGS=-O2 {words}',
        "build": f"make -j$JOBS {TOOLS}",
        "test": f"make -k -j$JOBS check {TOOLS}",
        **more,
    }
    return Package(name, source or name, **how)


def cmake(name, *options, source=None, **more):
    words = " ".join(options)
    how = {
        "configure": f"cmake -S . -B made -DCMAKE_BUILD_TYPE=None {words}",
        "build": "make -C made -j$JOBS",
        "test": "ctest --test-dir made -j$JOBS",
        "read": readers.ctest,
        **more,
    }
    return Package(name, source or name, **how)


def made(name, test, *, source=None, **more):
    """A package with a Makefile only."""
    how = {"configure": None, "build": 'make -j$JOBS CC="$CC"', "read": readers.printed(), **more}
    return Package(name, source or name, test=test, **how)


def tries(*commands):
    """A test of commands: of each its exit status is printed, for readers.tries."""
    return "\n".join(
        f"( {command} ) >tried.out 2>&1; echo '{command} gave' $?; tail -n 5 tried.out"
        for command in commands
    )


NO_NLS = "--disable-nls"

PACKAGES = (
    cmake("jansson", "-DJANSSON_BUILD_DOCS=OFF"),
    gnu("judy", build="make", test="make -k check", read=readers.printed(r"^[-\d\s.]+$")),
    gnu("mawk", test="make -k check", read=readers.printed(r".*real|user|sys.*")),
    cmake("cmocka", "-DUNIT_TESTING=ON"),
    gnu("popt", NO_NLS),
    cmake("json-c"),
    gnu("libconfig"),
    made(
        "yajl",
        "cd test/parsing && sh run_tests.sh $TREE/made/test/parsing/yajl_test",
        configure="cmake -S . -B made -DCMAKE_BUILD_TYPE=None",
        build="make -C made -j$JOBS",
        read=readers.lines(r'test case: "(?P<name>.*)": (?P<result>\w+)'),
    ),
    gnu("byacc", test="make -k check", read=readers.printed()),
    made("bzip2", "make -k check", build='make -j$JOBS CC="$CC" bzip2 bzip2recover'),
    gnu("ed", test="make -k check", read=readers.printed()),
    made(
        "lmdb",
        tries(
            *(
                f"rm -rf testdb && mkdir testdb && ./{name} && ./mdb_stat testdb"
                for name in ("mtest", "mtest2", "mtest3", "mtest4", "mtest5")
            )
        ),
        build='make CC="$CC" all mtest mtest2 mtest3 mtest4 mtest5',
        below="libraries/liblmdb",
        read=readers.tries,
    ),
    gnu("pcre2"),
    gnu(
        "libxml2",
        "--without-python",
        test="make -k check",
        read=readers.printed(r"Elapsed.*", r"\d+ ms"),
    ),
    cmake("libuv1", test="made/uv_run_tests_a", read=readers.tap),
    gnu("libxslt", "--without-python", test="make -k check", read=readers.printed()),
    gnu("bash", test="make -k tests", read=readers.printed()),
    gnu("gdbm", NO_NLS, read=readers.autotest),
    gnu(
        "tcl8.6",
        below="unix",
        test="make test TESTFLAGS=\"-verbose 'p b e' -notfile 'socket.test http*.test'\"",
        read=readers.tcl,
        limit=1500,
    ),
    gnu("check"),
    gnu("libsigsegv"),
    gnu("patch"),
    gnu("gzip"),
    gnu("sed", NO_NLS),
    gnu("grep", NO_NLS),
    gnu(
        "make-dfsg",
        NO_NLS,
        test="make check",
        read=readers.lines(r"^(?P<name>\S+/\S+) \.+ (?P<result>.*)$"),
    ),
    gnu("diffutils", NO_NLS),
    made(
        "lz4",
        tries(
            "make -C tests CC=\"$CC\" fuzzer frametest decompress-partial",
            "tests/fuzzer -s1 -i400",
            "tests/frametest -s1 -i400",
            "tests/decompress-partial",
            "make -C tests CC=\"$CC\" test-lz4-basic",
        ),
        read=readers.tries,
    ),
    gnu("bc", test="make -k check", read=readers.printed()),
    made(
        "giflib",
        "make -k -C tests UTILS=..",
        build='make -j1 CC="$CC" CFLAGS="-O2 -fPIC -std=gnu99"',
    ),
    cmake("tiff"),
    cmake("libjpeg-turbo", "-DWITH_SIMD=OFF"),
    gnu("libtasn1-6", "--disable-doc"),
    gnu("units", test="make -k check", read=readers.printed()),
    gnu("libmd"),
    gnu("lzo2"),
    cmake("brotli"),
    cmake("c-blosc", "-DDEACTIVATE_SNAPPY=ON -DBUILD_BENCHMARKS=OFF"),
    cmake("libmaxminddb"),
    gnu("libevent", test="test/regress", read=readers.lines(
        r"^(?P<name>[\w/]+): +(?P<result>OK|FAILED|SKIPPED|DISABLED)")),
    gnu("libpng1.6"),
    gnu("e2fsprogs", NO_NLS, test="make -k check", read=readers.lines(
        r"^(?P<name>\w+): .*: (?P<result>ok|failed|skipped.*)$")),
    cmake("libarchive", "-DENABLE_TEST=ON"),
    gnu("xz-utils", NO_NLS),
    gnu("file", test="make -k check", read=readers.printed()),
    gnu("nettle", "--disable-documentation", "--disable-openssl", read=readers.words),
    gnu("lcms2", test="make -k check", read=readers.printed()),
    gnu("findutils", NO_NLS),
    gnu("tar", NO_NLS, read=readers.autotest),
    gnu("cpio", NO_NLS, read=readers.autotest),
    gnu("sharutils", NO_NLS),
    made(
        "busybox",
        "make check",
        configure="make defconfig HOSTCC=$CC",
        build='make -j$JOBS CC="$CC" SKIP_STRIP=y',
        read=readers.words,
    ),
    gnu("hello", NO_NLS),
    gnu("libgpg-error", NO_NLS),
)
