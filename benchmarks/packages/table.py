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
TOOLS = "MAKEINFO=true"


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
    cmake("json-c", "-DDISABLE_WERROR=ON"),
    gnu("libconfig", "--disable-cxx"),
    made(
        "yajl",
        "cd test/parsing && sh run_tests.sh $TREE/made/test/parsing/yajl_test",
        configure="cmake -S . -B made -DCMAKE_BUILD_TYPE=None",
        build="make -C made -j$JOBS",
        read=readers.lines(r"^ test \((?P<name>.*)\): (?P<result>\w+)"),
    ),
    gnu("byacc", test="make -k check", read=readers.printed(r"^([*+-]{3}|[*]{2}) .*")),
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
        # Threads write these lines into one another.
        read=readers.printed(r"Elapsed.*", r"\d+ ms", r".*(I/O|test/threads|led:|^parse ).*"),
    ),
    cmake("libuv1", test="UV_RUN_AS_ROOT=1 made/uv_run_tests_a", read=readers.tap),
    gnu(
        "libxslt",
        "--without-python",
        test="make -k check",
        read=readers.printed(r"^Current Date.*", r"^\w+-in-\w+ *:.*"),
    ),
    gnu(
        "bash",
        "--without-bash-malloc",  # as Debian builds it
        test="make -k tests",
        read=readers.parts(r"^run-", r"/tmp-\w+", r"\b\d{3,}\b"),
    ),
    gnu("gdbm", NO_NLS, read=readers.autotest),
    gnu(
        "tcl8.6",
        below="unix",
        test="make test TESTFLAGS=\"-verbose 'pass body error' -notfile 'socket.test http*.test'\"",
        read=readers.tcl,
        limit=1500,
    ),
    gnu("check"),
    gnu("libsigsegv"),
    gnu("patch"),
    gnu("gzip"),
    gnu("sed", NO_NLS),
    gnu("grep", NO_NLS),
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
    made(
        "giflib",
        "make -k -C tests UTILS=..",
        build='make CC="$CC" CFLAGS="-O2 -fPIC -std=gnu99" libgif.a libutil.a && '
        'make CC="$CC" CFLAGS="-O2 -fPIC -std=gnu99" gif2rgb gifbuild giffix giftext giftool '
        "gifclrmp gifbg gifcolor gifecho giffilter gifhisto gifinto gifsponge gifwedge",
    ),
    cmake("tiff"),
    cmake("libjpeg-turbo", "-DWITH_SIMD=OFF"),
    gnu("libtasn1-6", "--disable-doc"),
    gnu("units", test="make -k check", read=readers.printed()),
    gnu("libmd"),
    gnu("lzo2", read=readers.lines(r"^(?P<name>\w\S* +\| \S+ +\d+ +\d+ +\d+)")),
    cmake("brotli"),
    cmake("libmaxminddb"),
    gnu("libevent", test="test/regress", read=readers.lines(
        r"^(?P<name>[\w/]+): +(?P<result>OK|FAILED|SKIPPED|DISABLED)")),
    gnu("libpng1.6"),
    gnu("e2fsprogs", NO_NLS, test="make -k check", read=readers.lines(
        r"^(?P<name>\w+): .*: (?P<result>ok|failed|skipped.*)$")),
    cmake("libarchive", "-DENABLE_TEST=ON -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O2"),
    gnu("xz-utils", NO_NLS),
    gnu("file", test="make -k check", read=readers.printed()),
    gnu(
        "nettle",
        "--disable-documentation",
        "--disable-openssl",
        # Without its one test in C++, which is linked by g++.
        test="make -k -C testsuite check TS_CXX=",
        read=readers.words,
    ),
    gnu("lcms2", test="make -k check", read=readers.printed(r".*MPixel/sec.*", r"^LittleCMS.*")),
    gnu("findutils", NO_NLS),
    gnu("tar", NO_NLS, "FORCE_UNSAFE_CONFIGURE=1", read=readers.autotest),
    made(
        "busybox",
        "make check",
        configure="make defconfig HOSTCC=clang-22",
        # Not CC, because its makefile takes a -f in there for make's own option.
        build="""printf 'exec %s "$@"\\n' "$CC" >cc && chmod +x cc && """
        "make -j$JOBS CC=$TREE/cc SKIP_STRIP=y",
        read=readers.words,
    ),
    gnu("hello", NO_NLS),
    gnu("libgpg-error", NO_NLS, read=readers.words),
)
