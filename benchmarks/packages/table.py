# SPDX-License-Identifier: MIT
"""The packages: how each is configured, made and tested, and what was found in it."""

import more
import readers
from recipe import NO_NLS, cmake, gnu, made, tries

TEST_FREE = (
    "gnulib's `test-free` uses up all mappings of the process; the verifier then had no memory for "
    "its table at exit and called that a difference. Mended: it needs none for few regions.",
)

PACKAGES = (
    cmake("jansson", "-DJANSSON_BUILD_DOCS=OFF"),
    gnu("judy", build="make", test="make -k check", read=readers.printed(r"^[-\d\s.]+$")),
    gnu("mawk", test="make -k check", read=readers.printed(r".*real|user|sys.*")),
    cmake("cmocka", "-DUNIT_TESTING=ON"),
    gnu("popt", NO_NLS),
    cmake("json-c", "-DDISABLE_WERROR=ON"),
    gnu(
        "libconfig",
        "--disable-cxx",
        test="cd tests && make check libconfig_tests && ./libconfig_tests",
        read=readers.printed(),
    ),
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
        # Its threads write the other lines into one another.
        read=readers.lines(r"^(?P<name>(## |Total |File ).*)$"),
        found=(
            "The compiler crashed on `error.c` and on others: libxml2 declares its functions again "
            "with `typeof`, and a call of such a one was asked for parameters that are not "
            "written. Mended.",
        ),
    ),
    cmake("libuv1", test="UV_RUN_AS_ROOT=1 made/uv_run_tests_a", read=readers.tap),
    gnu(
        "libxslt",
        "--without-python",
        test="make -k check",
        read=readers.printed(r"^Current Date.*", r"^\w+-in-\w+ *:.*", r"^(hour|minute|second)-.*"),
    ),
    gnu(
        "bash",
        "--without-bash-malloc",  # as Debian builds it
        test="make -k tests",
        read=readers.parts(r"^run-", r"/tmp-\w+", r"\b\d{3,}\b"),
        explained={
            "all": {
                "^run-(intl|printf)": "`printf` of numbers with a fraction is undefined in bash "
                "itself, see above",
                "^run-glob-test": "two processes of a pipe write their messages in either order",
            }
        },
        found=(
            "configure asks whether `getenv` can be redefined, and bash does: the runtime read its "
            "settings by the program's `getenv`, before main, and ended the program over what that "
            "answered (`ACRE_DELETE is '42'`). Mended.",
            "A bug of bash 5.2.15: `builtins/printf.def:712` prints a `floatmax_t` by `%Lf`, "
            "though "
            "line 222 makes it a `double` where `STRTOLD_BROKEN` is set, as it is by clang 22: the "
            "test of configure passes a `char *` for `strtold`'s `char **`, which clang refuses. "
            "`bash -c 'printf %.4f 1.5'` prints `-nan` by plain clang and `0.0000` by acre-cc: "
            "both print what the register or the stack has there.",
            "Built with bash's own malloc, which Debian does not do, the collected heap does not "
            "work: bash's macros call that malloc's functions by other names (`sh_malloc`, "
            "`sh_free`), while `strdup` and the library's functions of memory come from the "
            "collected heap; its free then aborts, `called with unallocated block argument`. An "
            "allocator of the program's own is not one that "
            "`-facre-malloc=collected` can replace.",
        ),
    ),
    gnu("gdbm", NO_NLS, read=readers.autotest),
    gnu(
        "tcl8.6",
        below="unix",
        test="make test TESTFLAGS=\"-verbose 'pass body error' -notfile 'socket.test http*.test'\"",
        read=readers.tcl,
        explained={
            "all": {
                r"^async-4\.3": "a new thread is to interrupt a loop of some 15 ms, and its first "
                "`malloc` (688 bytes) does 70 ms of a collection: what another thread owes for "
                "arrays of more than 8 MiB is paid at once, by whoever allocates next "
                "(`step_in_time`, 276 steps of *chase*). A fault of Acre's pace, not mended; alone "
                "the test fails in col each time"
            }
        },
        limit=1500,
    ),
    gnu(
        "check",
        found=(
            "col: its configure declares `timer_create` as a variable to see whether the library "
            "has it; `-facre-malloc=collected` defined the name a second time. Mended.",
        ),
    ),
    gnu("libsigsegv"),
    gnu("patch"),
    gnu("gzip"),
    gnu("sed", NO_NLS),
    gnu("grep", NO_NLS, found=TEST_FREE),
    gnu("diffutils", NO_NLS, found=TEST_FREE),
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
    gnu(
        "libtasn1-6",
        "--disable-doc",
        found=(
            "poison: it runs its tests under valgrind, which reported the collector's reads, and "
            "the program for what the collector had marked (10 of 40 failed). Mended.",
        ),
    ),
    gnu("units", test="make -k check", read=readers.printed()),
    gnu("libmd"),
    gnu(
        "lzo2",
        read=readers.lines(r"^(?P<name>\w\S* +\| \S+ +\d+ +\d+ +\d+)"),
        explained={
            "all": {
                r"^LZO1": "how well these methods compress depends on what their unset working "
                "memory holds (`LZO_CHECK_MPOS_NON_DET`, `src/lzo_dict.h:270`): with mimalloc "
                "preloaded plain clang's program differs too, and with `--clear-wrkmem` all agree"
            }
        },
    ),
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
        found=(
            "Its test in C++ is linked by `g++`, which does not know Acre's runtime: `undefined "
            "reference to symbol 'acre_rt_copy'`. Programs with objects of acre-cc are linked by "
            "acre-cc, or with `-lacre`.",
        ),
    ),
    gnu("lcms2", test="make -k check", read=readers.printed(r".*MPixel/sec.*", r"^LittleCMS.*")),
    gnu("findutils", NO_NLS, found=TEST_FREE),
    gnu("tar", NO_NLS, "FORCE_UNSAFE_CONFIGURE=1", read=readers.autotest),
    made(
        "busybox",
        "make check",
        configure="make defconfig HOSTCC=clang-22",
        # Not CC, because its makefile takes a -f in there for make's own option.
        build="""printf 'exec %s "$@"\\n' "$CC" >cc && chmod +x cc && """
        "make -j$JOBS CC=$TREE/cc SKIP_STRIP=y",
        read=readers.words,
        found=(
            "`make CC='acre-cc -facre-malloc=collected'` fails: its makefile looks for make's "
            "options in the words of the command line, and takes `-f` for one. A compiler without "
            "blanks in its name works.",
        ),
    ),
    gnu("hello", NO_NLS),
    gnu("libgpg-error", NO_NLS, read=readers.words),
    made(
        "jimtcl",
        "make test",
        configure="./configure --full --disable-docs",
        build="make -j$JOBS",
        read=readers.printed(r"\b\d+ *(us|ms|microseconds)\b"),
    ),
    made(
        "mksh",
        "./test.sh -v",
        build="CPPFLAGS=-DMKSH_BUILDMEAT sh Build.sh -r",
        read=readers.lines(r"^(?P<result>pass|FAIL|expected fail) (?P<name>\S+:\S+)"),
    ),
    gnu("libgc", test="make -k check"),
    gnu(
        "bc",
        build="make -C lib && make -C bc",  # clang 22 refuses dc's undeclared function
        test="cd Test && for each in *.b; do echo == $each; "
        "timeout 100 ../bc/bc -l ./$each </dev/null; done",
        read=readers.parts(r"^== "),
    ),
    made(
        "newlisp",
        tries(
            *(
                f"timeout 100 ./newlisp {name}"
                for name in (
                    "qa-dot",
                    *(
                        "qa-specific-tests/qa-" + name
                        for name in (
                            "dictionary",
                            "xml",
                            "json",
                            "setsig",
                            "ref",
                            "message",
                            "bigint 3000",
                            "cilk",
                        )
                    ),
                )
            )
        ),
        build='make -f makefile_linuxLP64_utf8_ffi CC="$CC"',
        read=readers.tries,
    ),
    made(
        "perl",
        # Without re/uniprops*, which take most of the time and try tables of characters only.
        "make minitest_prep && cd t && PERL_SKIP_TTY_TEST=1 ./perl TEST base/*.t comp/*.t cmd/*.t "
        "io/*.t op/*.t re/[!u]*.t uni/*.t mro/*.t",
        configure='sh Configure -des -Dcc="$CC" -Doptimize=-O2 -Uuseshrplib -Uusemymalloc',
        build="make miniperl",
        read=readers.lines(r"^t/(?P<name>\S+) \.+ *(?P<result>ok|FAILED.*|skipped.*)$"),
        found=(
            "The times of the table were taken while others used the machine much. Later and with "
            "less of that, one test after another and without those that sleep, the quarantine "
            "took 54 s of processor time where plain clang took 31 s. Slowest were "
            "`re/regexp*.t`, once 1.06 s instead of 0.34 s, of which reading the heap is more than "
            "a third; with `ACRE_HEAP=growth=16M` 0.64 s.",
        ),
    ),
    made(
        "redis",
        "./runtest --clients 1 --tags '-needs:repl -slow -large-memory -external:skip' "
        + " ".join(
            f"--single unit/{name}"
            for name in (
                "type/list",
                "type/set",
                "type/zset",
                "type/hash",
                "type/stream",
                "type/string",
                "type/incr",
                "sort",
                "scan",
                "keyspace",
                "expire",
                "bitops",
                "bitfield",
                "geo",
                "hyperloglog",
                "multi",
                "scripting",
                "functions",
                "dump",
                "introspection-2",
                "protocol",
                "quit",
            )
        ),
        build='make -j$JOBS CC="$CC" MALLOC=libc USE_SYSTEMD=no',
        read=readers.lines(r"^\[(?P<result>ok|err|exception)\]: (?P<name>.*?)(?: \(\d+ ms\))?$"),
    ),
    gnu(
        "tcpdump",
        "--without-crypto",
        test="TZ=GMT0 perl tests/TESTrun",
        read=readers.lines(r"^ +(?P<name>\S+) *: (TEST )?(?P<result>passed|FAILED.*|failed.*)$"),
    ),
    made(
        "original-awk",
        # Without Compare.tt, which measures times.
        "export PATH=.:$PATH; cd testdir && sed -i /Compare.tt/d REGRESS && sh REGRESS; "
        "cd ../bugs-fixed && bash REGRESS",
        build='make CC="$CC" HOSTCC="$CC"',
        # Some print random numbers.
        read=readers.lines(
            r"^(?P<name>(?!t\.randk|p\.48b)[tpT]\.\w+:\s+BAD|=== \S+|[+]{4} \S+|BAD: .*|\d+ tests)"
        ),
        found=(
            "Its `printf` allocates 24 KB and frees them each time (`3 * recsize`, `run.c:988`), "
            "and of the time with the collected heap 31 % goes to clearing them. `tt.04`, which "
            "its tests time and this benchmark leaves out, took 0.5 s of processor time by plain "
            "clang, 3.4 s with the collected heap and 5.1 s with the quarantine; `tt.big` 3.5 s, "
            "28 s and 42 s. Not mended.",
        ),
    ),
    made(
        "tinyscheme",
        tries("./scheme fibonacci.scm", "./scheme long.scm"),
        build="echo '(define (f n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2)))))(display (f 22))' "
        ">fibonacci.scm && printf %s '(display (length (string->list (make-string 90000 #\\a))))' "
        '>long.scm && make CC="$CC -fpic" LD="$CC"',
        read=readers.tries,
    ),
    made(
        "mandoc",
        "cd regress && perl ./regress.pl",
        configure="echo CC=\"'$CC'\" >configure.local && sh ./configure",
        build="make",
        read=readers.printed(),
    ),
    cmake("libyaml", "-DBUILD_TESTING=ON"),
    cmake(
        "lighttpd", "-DWITH_PCRE2=ON -DWITH_OPENSSL=ON", test="make -C made test ARGS=-j$JOBS"
    ),
    gnu(
        "ruby3.1",
        "--disable-install-doc",
        "--without-gmp",
        build="make -j$JOBS miniruby fake",
        test="make btest OPTS=-v",
        read=readers.lines(r"^#\d+ (?P<name>\S+):in .*' (?P<result>[.FE])"),
        found=(
            "col: `include/ruby/io.h:76` packs the buffers of files, so that a pointer in "
            "`rb_io_t` lies at an unaligned address, where no collection looks. Two tests with "
            "large scripts failed, because the parser's buffer was collected while it read, and "
            "with poison no script in a file ran; `-Wacre-packed` had said so. Mended: what is "
            "assigned there is kept until it is freed. The results are those after that, with "
            "`io.c` compiled again and the rest as it was.",
            "A loop that copies 2000 strings of up to 9 KB a hundred times took 0.43 s of "
            "processor time and 53 MiB by plain clang, and 1.51 s and 120 MiB with the collected "
            "heap: 30 collections search all of the strings, and those that Ruby has not freed "
            "yet. With `ACRE_HEAP=growth=64M` 1.23 s. Not mended.",
        ),
    ),
    gnu(
        "libonig",
        configure='autoreconf -fi && sh ./configure CC="$CC" CFLAGS=-O2',
        build="make -j$JOBS && make -C test check TESTS=",
        test="cd test && for each in test_utf8 test_syntax test_options testc testcu test_regset "
        "test_back; do ./$each; done",
        read=readers.printed(),
    ),
    gnu(
        "flex",
        NO_NLS,
        found=(
            "`make check` compiles the scanners of its tests first, and nearly all of the time is "
            "the compilers'. Where they are there already, as in poison, it takes 1.6 s.",
        ),
    ),
    # Under valgrind, as configure chooses, its tests take some 40 s instead of 3 s.
    gnu("libidn2", NO_NLS, "--disable-doc", "--disable-valgrind-tests"),
    gnu(
        "pcre3",
        "--disable-cpp",
        found=(
            "With its wrapper in C++, which is linked by `g++`, it builds by acre-cc, but not with "
            "the collected heap or the quarantine: `undefined reference to "
            "'acre_rt_gc_needs_acre_cc_to_link'`. That is what the symbol is for.",
        ),
    ),
    gnu(
        "make-dfsg",
        NO_NLS,
        configure='autoreconf -fi && sh ./configure CC="$CC" CFLAGS=-O2 ' + NO_NLS,
        test="cd tests && perl ./run_make_tests.pl -srcdir $TREE -make ../make",
        read=readers.lines(r"^(?P<name>\w+/\S+) \.+ .*?(?P<result>ok|FAILED|N/A|Error).*"),
        found=(
            "`misc/fopen-fail` lets a makefile include itself until no file can be opened; with "
            "20000 descriptors the stack of 8 MiB ends first, by plain clang too (signal 11). That "
            "one test is what the quarantine costs: alone 3.7 s of processor time by plain clang, "
            "5.7 s with the collected heap, 16.7 s with the quarantine, 7.9 s of it in the kernel. "
            "It allocates 8.5 GB and frees most of that, so that there are 1253 collections, and "
            "each reads the heap and the buffers of all open files, eight pages at a time: under "
            "`strace` these were 6.9 million questions to the kernel. To watch a mapping once a "
            "step, and not for each eight pages, saved 3 % and was not kept. With "
            "`ACRE_HEAP=growth=16M` it takes 10.3 s. Not mended.",
        ),
    ),
    gnu(
        "zsh",
        # Its configure asks for signals by functions without a prototype.
        'CFLAGS="-O2 -std=gnu89"',
        "--with-tcsetpgrp",
        test="make -k -C Test check",
        read=readers.lines(
            r"^(?P<name>\S+\.ztst): (?:all tests )?(?P<result>successful|test .*)\.$"
        ),
    ),
    gnu(
        "indent",
        'CFLAGS="-O2 -Wno-error"',
        test="cd regression && rm -rf output && sh TEST",
        read=readers.printed(),
    ),
    gnu(
        "expat",
        below="expat",
        # Without the copy of the tests in C++, which is linked by g++.
        configure='autoreconf -fi && sh ./configure CC="$CC" CFLAGS=-O2 --without-docbook',
        build="make -C lib && make -C tests runtests",
        test="tests/runtests -v",
        read=readers.words,
    ),
    made(
        "libtommath",
        "./test",
        build='make CC="$CC" CFLAGS="-O2 -I." test',
        read=readers.printed(),
    ),
    cmake("cjson", "-DENABLE_CJSON_UTILS=ON -DENABLE_CUSTOM_COMPILER_FLAGS=OFF"),
    made(
        "unifdef",
        "make test",
        build='make CC="$CC" CFLAGS=-O2',
        read=readers.printed(),
    ),
    made(
        "http-parser",
        "./test_g && ./test_fast",
        build='make CC="$CC" test_g test_fast',
        read=readers.printed(),
    ),
    cmake(
        "cmark",
        "-DCMARK_TESTS=OFF",
        test="for each in spec regression smart_punct; do "
        "python3 test/spec_tests.py --no-normalize --spec test/$each.txt --program made/src/cmark; "
        "done; python3 test/pathological_tests.py --program made/src/cmark",
        read=readers.printed(),
    ),
    *more.PACKAGES,
)
