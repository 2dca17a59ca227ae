# SPDX-License-Identifier: MIT
"""The MirBSD Korn Shell: every block of a script and every function call has an area, which is
freed when it ends."""

import os
import re

from toolchain import run_program

PACKAGE = "mksh"
MEMORY = "areas: lists of blocks that are freed together, nested as the blocks of the script"
FILES = ("*.[ch]",)
BINARY = "mksh"
SETTINGS = ("LC_ALL=C",)
RUNS = {"small": ("script", "40"), "default": ("script", "4000")}
OUTPUTS = ()
SCRIPT = """\
typeset -i i n=$1 sum=0
set -A words alpha beta gamma delta epsilon zeta eta theta
function fold {
  typeset text=$1 out= rest
  while [[ -n $text ]]; do
    rest=${text#?}
    out=${text%"$rest"}$out
    text=$rest
  done
  REPLY=$out
}
recurse() {
  typeset depth=$1
  if (( depth > 0 )); then
    recurse $((depth - 1))
    sum=sum+depth
  fi
}
i=0
while (( i < n )); do
  for word in "${words[@]}"; do
    fold "$word-$i"
    case $REPLY in
      *a*) table[i % 97]=${REPLY/a/A} ;;
      [0-9]*) table[i % 89]=$REPLY:${#REPLY} ;;
      *) table[i % 83]=$word ;;
    esac
    eval "name_$word=\\$REPLY"
  done
  recurse 12
  IFS=- read -r first second <<<"${table[i % 83]}"
  set -- $first $second "$@"
  (( $# > 30 )) && shift 20
  i=i+1
done
print -r -- "$sum ${#table[*]} $name_alpha $name_theta $1"
"""


def write_loads(directory):
    with open(os.path.join(directory, "script"), "w", encoding="ascii") as file:
        file.write(SCRIPT)


def build(tree, flags):
    settings = {"CC": tree.cc, "CFLAGS": " ".join(flags), "CPPFLAGS": "-DMKSH_BUILDMEAT"}
    # Debian's header is guarded by the macro that its own build defines.
    tree.run("sh", "Build.sh", "-r", env={**settings, "LDFLAGS": " ".join(flags)})


def check(tree):
    _, output, _ = run_program(
        ["./test.sh", "-v", "-C", "regress:no-ctty"], cwd=tree.directory, stdin=b"", timeout=900
    )
    found = re.findall(r"^(pass|FAIL) \./check\.t:(\S+)", output.decode(errors="replace"), re.M)
    return {name: verdict for verdict, name in found}
