# SPDX-License-Identifier: MIT
"""The second table of packages, whose form is that of the first."""

import readers
from recipe import NO_NLS, cmake, gnu, made, tries

# Some sources come without what Autoconf generates.
AUTORECONF = 'autoreconf -fi && sh ./configure CC="$CC" CFLAGS=-O2 '

UNALIGNED = "its own allocator keeps pointers at unaligned addresses, see above"

SPARSE = "HAVE_LLVM=no HAVE_SQLITE=no HAVE_GTK=no HAVE_GTK2=no HAVE_LIBXML=no"

PACKAGES = (
    made(
        "zlib",
        "make -k test && ./infcover",
        configure="sh ./configure",
        build='make -j$JOBS && make CC="$CC" CFLAGS="-O2 -I." infcover',
        read=readers.printed(),
    ),
    gnu(
        "libexif",
        configure=AUTORECONF + NO_NLS + " --disable-docs",
        found=(
            "`make check` compiles its tests first: where they are there already, as in poison, it "
            "takes 1.6 s.",
        ),
    ),
    gnu("libsodium", configure=AUTORECONF),
    gnu("libbsd"),
    gnu("libogg", test="make -k check", read=readers.printed()),
    gnu("libvorbis", "--disable-docs", "--disable-examples"),
    gnu("mpclib3"),
    gnu("mpfr4"),
    gnu("gmp"),
    gnu("libunistring"),
    gnu("libgcrypt20", "--disable-doc", read=readers.words),
    gnu("nghttp2", configure=AUTORECONF + "--enable-lib-only", test="make -k check",
        read=readers.lines(r"^ *Test: (?P<name>\S+) *\.+ *(?P<result>passed|FAILED)")),
    cmake("libzip", "-DENABLE_OPENSSL=OFF"),
    gnu("attr", NO_NLS),
    gnu("libxcrypt", configure=AUTORECONF + "--disable-werror --disable-valgrind"),
    gnu("libmicrohttpd", NO_NLS, "--disable-https", "--disable-doc", "--disable-examples"),
    gnu(
        "jq",
        configure=AUTORECONF + "--disable-docs --with-oniguruma=/usr --disable-maintainer-mode",
        test="for each in jq onig base64; do ./jq -L tests/modules --run-tests tests/$each.test; "
        "done; sh tests/shtest && echo shtest",
        read=readers.printed(),
    ),
    gnu(
        "gawk",
        NO_NLS,
        # Its manual is not in the source.
        build="make -j$JOBS -C support && make -j$JOBS gawk && make -j$JOBS -C extension",
        test="make -k -C test check",
        read=readers.printed(),
    ),
    gnu("m4", test="make -k check", read=readers.together(
        readers.automake, readers.parts(r"^Checking ", r"/m4-tmp\.\d+"))),
    gnu("dosfstools"),
    gnu("enca"),
    gnu("libb2", configure=AUTORECONF + "--disable-native"),
    gnu("libassuan", "--disable-doc", read=readers.words),
    gnu("potrace", "--without-zlib"),
    made(
        "jbigkit",
        "make -k -C libjbig test; make -k -C pbmtools test ANTI_TAP_DANCE=one",
        build='make -j$JOBS CFLAGS=-O2',
        # A line tells the size and the date of a file.
        read=readers.printed(r"^-rw.*"),
    ),
    made(
        "dos2unix",
        "cd test && prove -v *.t",
        build='make CC="$CC" ENABLE_NLS=',
        read=readers.tap,
    ),
    made(
        "libvterm",
        "for each in t/[0-9]*.test; do echo \"** $each\"; perl t/run-test.pl $each; done",
        build='make CC="$CC" CFLAGS=-O2 libvterm.la t/harness',
        read=readers.printed(),
    ),
    made(
        "xxhash",
        "make -k test-xxhsum-c",
        build='make CC="$CC" CFLAGS=-O2 xxhsum_and_links',
        read=readers.printed(r".*xxhsum.*"),
    ),
    made(
        "sparse",
        'make -k check CC="$CC" ' + SPARSE,
        build='make -j$JOBS CC="$CC" ' + SPARSE,
        read=readers.lines(
            r"^(?P<result> *TEST|(?:info|error): \w+:) +(?P<name>.*)$"
        ),
    ),
    made(
        "tcc",
        "make -k -C tests hello-exe hello-run libtest libtest_mt test3 abitest asm-c-connect-test "
        "vla_test-run tests2-dir pp-dir",
        # Its configure takes of --cc what is before the next =.
        configure="""printf 'exec %s "$@"\\n' "$CC" >cc && chmod +x cc && """
        "sh ./configure --cc=$TREE/cc --extra-cflags=-O2 --triplet=x86_64-linux-gnu",
        build="make",
        # One test sorts by threads that sleep, one measures; the tests of calls name the compiler.
        read=readers.printed(r"\(\d+ ms\)", r"^\s*(\d+ )+\d*$", r"^clang.* no such file.*"),
        explained={run: {".": UNALIGNED} for run in ("col", "poison")},
        found=(
            "A bug of tcc 0.9.27: its allocator for tokens puts a header of four bytes before each "
            "piece and rounds sizes to four (`tccpp.c:155`, `tccpp.c:245`), so that pointers lie "
            "at addresses that are no multiple of eight, which C does not allow: with "
            "`-fsanitize=alignment` plain clang's program says `tccpp.c:447: store to misaligned "
            "address ... for type 'struct Sym *'`. No collection looks there, so that symbols and "
            "tokens in use are collected: `identifier expected` in a correct file, or a `free` of "
            "what is no object any more, which ends the program. With a header of eight bytes and "
            "sizes rounded to eight what failed was tried again (`abitest-tcc.exe`, `libtest_mt`, "
            "`114_bound_signal`, and with poison `46_grep`) and passed. With the "
            "quarantine, which uses nothing again that was not freed, all pass.",
        ),
    ),
    made(
        "pari",
        "make -k -C $(ls -d O*-*) test-all",
        configure='CC="$CC" CFLAGS=-O2 sh Configure --graphic=none --without-gmp '
        "--without-readline",
        build="make -j$JOBS gp",
        read=readers.lines(r"^\* (?P<name>Testing .*?) for gp-.*?\.\.(?P<result>.*?)(?:\[.*)?$"),
    ),
    made(
        "libtomcrypt",
        "./test",
        build='make -j$JOBS CC="$CC" CFLAGS="-O2 -DUSE_LTM -DLTM_DESC" EXTRALIBS=-ltommath test',
        read=readers.printed(r"\s+[\d.]+ms", r"duration=.*"),
    ),
    made(
        "mbedtls",
        "cd tests && perl scripts/run-test-suites.pl -v",
        build='make -j$JOBS CC="$CC" CFLAGS=-O2 lib && make -j$JOBS CC="$CC" CFLAGS=-O2 -C tests',
        read=readers.lines(r"^(?P<name>\S.*?) \.{2,} (?P<result>PASS|FAILED|----|SKIP.*)$"),
    ),
    gnu(
        "unbound",
        build="make -j$JOBS && make -j$JOBS unittest testbound",
        test="./unittest; for each in testdata/*.rpl; do "
        "./testbound -p $each >/dev/null 2>&1; echo $each gave $?; done",
        read=readers.together(readers.tries, readers.lines(r"^(?P<name>test \S.*)$")),
    ),
    made(
        "apr",
        "cd test && ./testall -v",
        configure='CC="$CC" CFLAGS=-O2 sh ./buildconf; sh ./configure CC="$CC" CFLAGS=-O2',
        build="make -j$JOBS && make -C test -j$JOBS all",
        read=readers.lines(r"^(?P<name>test\w+) *: .*?(?P<result>SUCCESS|FAILED.*)$"),
        found=(
            "The header of `ac_cv_header_netinet_sctp_h` was installed on the machine between the "
            "builds.",
        ),
    ),
    gnu(
        "rsync",
        "--disable-md2man",
        "--disable-openssl",
        "--disable-xxhash",
        "--disable-zstd",
        "--disable-lz4",
        test="make -k check",
        read=readers.words,
    ),
    gnu(
        "memcached",
        test="make memcached-debug sizes testapp && ./testapp; prove -v t/[!r]*.t",
        read=readers.tap,
    ),
    made(
        "zstd",
        tries(
            "tests/fuzzer -s1 -i400",
            "tests/zstreamtest -s1 -i400",
            "tests/legacy",
            "tests/invalidDictionaries",
            "tests/decodecorpus -t -T3",
            "tests/poolTests",
            "make -C tests CC=\"$CC\" test-cli-tests",
        ),
        build='make -j$JOBS CC="$CC" zstd && make -j$JOBS -C tests CC="$CC" fuzzer zstreamtest '
        "legacy invalidDictionaries decodecorpus poolTests",
        read=readers.tries,
    ),
    made(
        "sqlite3",
        "for each in select1 select2 select3 expr insert update delete join trans where index "
        "vacuum fts3aa rtree1 func date malloc corrupt json101 window1 with1 trigger1 attach "
        "btree01 pager1 savepoint wal vtab1 fkey1 alter like minmax types collate1 cast misc1; do "
        "./testfixture test/$each.test; done",
        configure='sh ./configure CC="$CC" CFLAGS=-O2 --with-tcl=/usr/lib/x86_64-linux-gnu/tcl8.6',
        build='make testfixture TCC_EXTRA=',
        read=readers.lines(r"^(?P<name>[\w.-]+)\.\.\. (?P<result>Ok|.*)$"),
        limit=1500,
    ),
    gnu("elfutils", "--disable-debuginfod", "--disable-libdebuginfod", "--disable-nls",
        "CFLAGS='-O2 -Wno-error'"),
    cmake(
        "libgit2",
        "-DUSE_SSH=OFF -DUSE_HTTPS=OFF -DREGEX_BACKEND=builtin -DUSE_BUNDLED_ZLIB=OFF "
        "-DUSE_HTTP_PARSER=builtin -DBUILD_EXAMPLES=OFF",
    ),
    made(
        "git",
        "cd t && for each in t0*.sh t1*.sh t3*.sh; do sh ./$each; done",
        build='make -j$JOBS CC="$CC" CFLAGS=-O2 NO_CURL=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PYTHON=1 all',
        read=readers.tap,
    ),
    gnu("dbus", "--disable-xml-docs", "--disable-doxygen-docs", "--enable-embedded-tests",
        "--without-x", "--disable-selinux", "--disable-systemd"),
    gnu("sudo", NO_NLS),
    gnu(
        "dpkg",
        NO_NLS,
        "--disable-dselect",
        test="make -k check",
        read=readers.tap,
    ),
    gnu("opus", "--disable-doc", "--disable-extra-programs"),
    gnu("flac", "--disable-cpplibs", test="src/test_libFLAC/test_libFLAC", read=readers.printed()),
)
