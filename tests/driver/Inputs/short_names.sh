# Checks for each header of Acre ($2 is their directory) that a program can have variables of all
# short names if it leaves them, and each of Acre's if it asks for that one.  $1: acre-cc.
set -u
compiler=$1 headers=$2 status=0

fault() {
  echo "$*"
  status=1
}

names=$(grep -ho 'ACRE_USE_[a-z_0-9]*' "$headers"/acre/*.h | sed 's/ACRE_USE_//' | sort -u)
[ "$(echo "$names" | wc -l)" -ge 40 ] || fault "these are not all:" "$names"
for header in acre rc own scope; do
  program=$(echo "#include <acre/$header.h>" && echo "$names" | sed 's/.*/extern int &;/')
  for left in "$(echo "$names" | sed 's/^/-DACRE_NO_/')" -DACRE_NO_SHORT_NAMES; do
    # shellcheck disable=SC2086 # an option for each word
    echo "$program" | "$compiler" -fsyntax-only -std=gnu17 -Wall -Werror $left -xc - ||
      fault "$header.h: not all names are left"
  done
done

# The two conditions of a name are about the same one.
grep -h 'ACRE_USE_' "$headers"/acre/*.h | grep -v '^ \*\|ACRE_USE_bool\|^#if !defined(ACRE_USE_' |
  grep -v 'if !defined(ACRE_NO_\([a-z_0-9]*\)) && (ACRE_SHORT_ || defined(ACRE_USE_\1))$' &&
  fault "these ask for different names"

for header in region rc own; do
  for name in $(grep -o 'ACRE_SHORT_ || defined(ACRE_USE_[a-z_0-9]*' "$headers/acre/$header.h" |
    sed 's/.*ACRE_USE_//'); do
    echo "#include <acre/$header.h>" |
      "$compiler" -E -dD -DACRE_NO_SHORT_NAMES "-DACRE_USE_$name" -xc - |
      grep -q "^#define $name\\b\\|^typedef .* $name;" || fault "$header.h: no $name"
  done
done
exit $status
