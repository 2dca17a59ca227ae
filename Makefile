# SPDX-License-Identifier: MIT
# A front for CMake's presets.  `make help` lists the targets; PRESET=debug chooses another build
# than release.
PRESET ?= release
PREFIX ?= /usr/local
DESTDIR ?=
build_release = build
build_debug = build-debug
build_asan = build-asan
build_tsan = build-tsan
build = $(build_$(PRESET))

# The compiler that a user's environment may name is not the one that builds Acre.
unexport ACRE_CLANG ACRE_DELETE ACRE_VERIFY ACRE_VERBOSE ACRE_FAIL_AT
MAKEFLAGS += --no-print-directory

.PHONY: all present setup demo check check-long bench install deb clean help
.NOTPARALLEL:

all: present $(build)/build.ninja
	@cmake --build --preset $(PRESET)

# Says which packages are missing, and stops.
present:
	@scripts/setup --check

# Only setup, demo and check install packages; where one of them is a goal, it comes first.
setup:
	@scripts/setup
ifneq ($(filter setup demo check,$(MAKECMDGOALS)),)
present: setup
endif

# Ninja runs CMake again by itself; this is for the first time.
build/build.ninja build-debug/build.ninja build-asan/build.ninja build-tsan/build.ninja: | present
	@cmake --preset $(or $(patsubst build-%,%,$(filter build-%,$(@D))),release) \
	  --log-level=WARNING > /dev/null

demo: present $(build)/build.ninja
	@cmake --build --preset $(PRESET) --target acre-cc acre
	@scripts/demo $(build)

check: all build-asan/build.ninja build-tsan/build.ninja
	@cmake --build --preset asan
	@cmake --build --preset tsan
	@scripts/check $(PRESET) asan tsan

check-long: all
	@ctest --test-dir $(build) -L '^long$$' -j 2 --output-on-failure

bench: all
	@benchmarks/run

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(build) --prefix $(PREFIX)

deb:
	@packaging/deb

clean:
	rm -rf build build-debug build-asan build-tsan

help:
	@echo 'make                  build in build/; says what is missing, and installs nothing'
	@echo 'make setup            install what is missing (Debian)'
	@echo 'make demo             set up, build, then compile, run and break a program'
	@echo 'make check            set up, build and run all tests'
	@echo 'make check-long       more levels of optimisation and more programs: half an hour'
	@echo 'make bench            run the benchmarks'
	@echo 'make install PREFIX=  install; the tree may be moved afterwards. DESTDIR= stages it'
	@echo 'make deb              Debian packages, in build/deb'
	@echo 'make clean            remove the build directories'
	@echo 'PRESET=debug          with assertions of the runtime'"'"'s invariants'
