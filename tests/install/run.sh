#!/bin/bash
# Installs Acre, moves the tree, and uses it through acre-cc, acre, pkg-config, CMake, gdb and man.
# usage: run.sh BUILD-DIRECTORY WORK-DIRECTORY CLANG VERSION
set -euo pipefail
build=$1 work=$2 clang=$3 version=$4
source=$(cd "$(dirname "$0")" && pwd)
unset ACRE_CLANG ACRE_DELETE ACRE_VERIFY
rm -rf "$work" && mkdir -p "$work" && cd "$work"

step() { echo "-- $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
# A program built with counts stops at a delete that leaves a pointer behind.
is_counted() {
  "$1" || fail "$1 does not run"
  ! (ulimit -c 0; "$1" keep) 2>report || fail "$1 is not counted"
  grep -q kept report
}

step "install to a staging directory, then move"
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/first >install.log
mv stage/opt/first "moved here"
prefix="$work/moved here"
! grep -rqF "$build" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" \
  || fail "the build directory is in the installed files"

step "acre-cc and acre"
"$prefix/bin/acre" doctor
"$prefix/bin/acre-cc" -O2 "$source/consumer/program.c" -o by_driver && is_counted ./by_driver
[[ $("$prefix/bin/acre-c++" --version) == *Acre* ]] || fail "acre-c++ is not there"
"$prefix/bin/acre-cc" -facre-runtime=shared "$source/consumer/program.c" -o by_shared \
  && is_counted ./by_shared

step "a link to acre-cc elsewhere"
mkdir elsewhere && ln -s "$prefix/bin/acre-cc" elsewhere/cc
elsewhere/cc "$source/consumer/program.c" -o by_link && is_counted ./by_link

step "pkg-config"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[ "$(pkg-config --modversion acre)" = "$version" ] || fail "pkg-config says another version"
flags=$(pkg-config --cflags --libs acre)
eval "cc $source/consumer/program.c $flags -Wl,-rpath,'$prefix/lib' -o by_pkg_config"
./by_pkg_config || fail "by_pkg_config does not run"

step "CMake, with the Clang that the plugin fits, with another compiler, and with acre-cc"
for compiler in "$clang" gcc "$prefix/bin/acre-cc"; do
  name=cmake_$(basename "$compiler")
  cmake -G Ninja -S "$source/consumer" -B "$name" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo >"$name.log" || { cat "$name.log"; fail "$name"; }
  cmake --build "$name" >"$name.build.log" || { cat "$name.build.log"; fail "$name"; }
  if [ "$compiler" = gcc ]; then
    grep -q 'Acre: program is compiled plainly' "$name.log" \
      || fail "no message about the other compiler"
    "./$name/program" && "./$name/with_library"
  else
    is_counted "./$name/program" && is_counted "./$name/with_library"
  fi
done

step "manual pages"
for page in acre acre-cc; do
  [ -s "$prefix/share/man/man1/$page.1" ] || fail "no manual page of $page"
  if command -v man >/dev/null; then
    [ -z "$(man --warnings -l "$prefix/share/man/man1/$page.1" 2>&1 >/dev/null)" ] \
      || fail "warnings in $page.1"
  fi
done
grep -q "Acre $version" "$prefix/share/man/man1/acre.1" \
  || fail "the manual page is of another version"

if [ -e "$prefix/lib/libacre.so.$version-gdb.py" ] && command -v gdb >/dev/null; then
  step "gdb loads its script with the library"
  gdb -nx -batch -iex "add-auto-load-safe-path $prefix" -ex "break main" -ex run \
    -ex "info auto-load python-scripts" ./by_shared \
    2>&1 | grep -q 'Yes.*acre' || fail "gdb does not load the script"
fi
echo "all good"
