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
    gnu("libbsd"),
    gnu("libogg", test="make -k check", read=readers.printed()),
    cmake("libzip", "-DENABLE_OPENSSL=OFF"),
    gnu(
        "jq",
        configure=AUTORECONF + "--disable-docs --with-oniguruma=/usr --disable-maintainer-mode",
        test="for each in jq onig base64; do ./jq -L tests/modules --run-tests tests/$each.test; "
        "done; sh tests/shtest && echo shtest",
        read=readers.printed(),
    ),
    # No row yet: its builds and tests take some ten minutes, those of memcached longer.
    gnu("m4", test="make -k check", read=readers.together(
        readers.automake, readers.parts(r"^Checking ", r"/m4-tmp\.\d+"))),
    gnu("dosfstools"),
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
            "sizes rounded to eight some of what failed was tried again: `libtest_mt`, "
            "`114_bound_signal` and, with poison, `46_grep` passed, and `abitest-tcc` compiled. "
            "With the quarantine, which uses nothing again that was not freed, all pass.",
        ),
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
        "memcached",
        # Without those that wait much.
        test="make memcached-debug sizes testapp && ./testapp; for each in 00-startup 64bit binary "
        "cas dash-M evictions flags getandtouch getset incrdecr issue_14 issue_22 issue_50 "
        "issue_61 item_size_max line-lengths lru metaget misbehave noreply stats-detail touch udp "
        "unixsocket whitespace; do prove t/$each.t; done",
        read=readers.together(
            readers.tap, readers.lines(r"^(?P<name>t/\S+) \.+ *(?P<result>ok|Failed|skipped).*$")
        ),
    ),
    made(
        "zstd",
        tries(
            "tests/fuzzer -s1 -i50",
            "tests/zstreamtest -s1 -i50",
            "tests/legacy",
            "tests/invalidDictionaries",
            "tests/decodecorpus -t -T3",
            "tests/poolTests",
        ),
        build='make -j$JOBS CC="$CC" zstd && make -j$JOBS -C tests CC="$CC" fuzzer zstreamtest '
        "legacy invalidDictionaries decodecorpus poolTests",
        read=readers.tries,
        found=(
            "Five warnings `loosing !pcsections and/or !mmra metadata` were the code generator's: "
            "where the optimizer had made one of two accesses, a tag of Acre's or an empty one was "
            "left. Mended.",
        ),
    ),
    gnu("attr", NO_NLS),
    gnu("libb2", configure=AUTORECONF + "--disable-native"),
    gnu("enca"),
    gnu("libassuan", "--disable-doc", read=readers.words),
    gnu("libmicrohttpd", NO_NLS, "--disable-https", "--disable-doc", "--disable-examples"),
    made(
        "lzlib",
        "make check",
        configure='sh ./configure CC="$CC" CFLAGS=-O2',
        build="make all lzcheck bbexample ffexample",
        read=readers.printed(),
    ),
    made(
        "discount",
        "make -k test",
        configure='CFLAGS="-O2 -Wno-incompatible-function-pointer-types" '
        "sh ./configure.sh --with-fenced-code --with-dl=both --github-checkbox",
        build="make",
        read=readers.printed(),
    ),
    made(
        "bmake",
        # Without suffixes.mk, which takes all memory there is, by plain clang too.
        "cd unit-tests && for each in [!s]*.mk sunshcmd.mk sysv.mk; do echo == $each; "
        "../bmake -r -m / -f $each; done",
        configure='sh ./configure CC="$CC" CFLAGS=-O2',
        build="sh make-bootstrap.sh",
        read=readers.parts(r"^== ", r"\b\d{3,}\b"),
    ),
    gnu(
        "nasm",
        build="make nasm ndisasm",
        test="python3 travis/nasm-t.py run",
        read=readers.printed(),
    ),
    made(
        "chrony",
        "make -k -C test/unit check",
        configure='CFLAGS=-O2 sh ./configure --disable-readline --without-nss --without-tomcrypt '
        '--without-gnutls',
        build="make -j$JOBS && make -C test/unit -j$JOBS all",
        read=readers.lines(r"^Testing (?P<name>\w+).*?(?P<result>PASS|SKIP.*|FAIL.*)$"),
    ),
    made(
        "libdeflate",
        tries(
            "LD_LIBRARY_PATH=. ./benchmark <lib/deflate_compress.c",
            *(
                f"LD_LIBRARY_PATH=. ./test_{name}"
                for name in (
                    "checksums",
                    "custom_malloc",
                    "incomplete_codes",
                    "litrunlen_overflow",
                    "overread",
                    "slow_decompression",
                    "trailing_bytes",
                )
            ),
        ),
        build='make -j$JOBS CC="$CC" CFLAGS=-O2 all test_programs',
        read=readers.tries,
    ),
    made(
        "libtomcrypt",
        "./test",
        build='make -j$JOBS CC="$CC" CFLAGS="-O2 -DUSE_LTM -DLTM_DESC" EXTRALIBS=-ltommath test',
        read=readers.printed(r"\s+[\d.]+ms", r"duration=.*"),
    ),
    gnu(
        "nghttp2",
        configure=AUTORECONF + "--enable-lib-only",
        test="make -k check; cat tests/main.log tests/failmalloc.log",
        read=readers.lines(r"^ *Test: (?P<name>\S+) *\.+ *(?P<result>passed|FAILED)"),
    ),
    gnu(
        "libvorbis",
        "--disable-docs",
        "--disable-examples",
        test="make -k check",
        read=readers.lines(r"^ +(?P<name>vorbis_\S+\.ogg) : (?P<result>.*)$"),
    ),
)
