#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random functions of a unit without regions, among whose numbers, addresses and conditions
pointers are stored.  What a patched store may not do is change a register, a flag or the stack that
the rest of the function needs: so each function's result is compared with plain clang's, before
there is a region and after, and a delete has to be refused exactly while the function has left a
pointer."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

LEVELS = {
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3", "-fno-pie", "-no-pie"],
    "Os": ["-Os"],
    "avx2": ["-O3", "-mavx2", "-mfma"],
    "pic": ["-O2", "-fPIC", "-fno-omit-frame-pointer"],
    "lto": ["-O2", "-flto"],
}
SLOTS = 24
HEADER = f"""typedef struct node node;
typedef union word {{
  void *pointer; long number; double real; int halves[2]; float floats[2];
}} word;
struct node {{ node *next; long key; word value; node *links[4]; }};
typedef struct {{ long kind; word word; }} cell; /* of an interpreter */
typedef struct {{ word word; long kind; cell cell; }} row;
extern void *slots[{SLOTS}];
extern word words[{SLOTS}];
extern node nodes[{SLOTS}];
extern row rows[{SLOTS}];
typedef struct {{ char *from, *at; long left; }} cursor;
extern cursor cursors[{SLOTS}];
"""
FUNCTION = """
typedef unsigned long function(void *, const long *, const double *, long, void **);
"""


class Unit:
    """Functions f0, f1 ... of (pointer, numbers, reals, n), each with a result."""

    def __init__(self, seed, count):
        self.random = random.Random(seed)
        self.count = count

    def number(self, depth=0):
        pick = self.random.randrange(9)
        if depth > 2 or pick < 3:
            return self.random.choice([f"v{self.random.randrange(10)}", "n", "i"])
        if pick == 3:
            return str(self.random.randrange(-100, 100))
        if pick == 4:
            return f"numbers[({self.number(depth + 1)}) & 15]"
        operator = self.random.choice(["+", "-", "*", "^", "&", "|"])
        return f"({self.number(depth + 1)} {operator} {self.number(depth + 1)})"

    def real(self):
        name = f"r{self.random.randrange(8)}"
        return self.random.choice(
            [name, f"{name} * 0.5", f"reals[({self.number(1)}) & 15]", f"{name} + r0"]
        )

    def place(self):
        index = self.random.choice(
            [str(self.random.randrange(SLOTS)), f"(unsigned)({self.number(1)}) % {SLOTS}"]
        )
        return self.random.choice(
            [
                f"slots[{index}]",
                f"words[{index}].pointer",
                f"nodes[{index}].next",
                f"nodes[{index}].value.pointer",
                f"nodes[{index}].links[({self.number(1)}) & 3]",
                f"local[{index}]",
                "own",
                "*to",
            ]
        )

    def store(self):
        value = self.random.choice(["p", "p", "(char *)p + 8", "0", "&slots[3]", "q"])
        if self.random.randrange(6) == 0:
            index = f"(unsigned)({self.number(1)}) % {SLOTS}"
            return self.random.choice(
                [
                    f"words[{index}].number = {self.number()};",
                    f"words[{index}].real = {self.real()};",
                    f"words[{index}].number = (long)p;",
                    f"words[{index}].halves[0] = (int)({self.number()});",
                    f"words[{index}].halves[1] = (int)({self.number()}) | 1 << 30;",
                    f"words[{index}].floats[0] = (float){self.real()};",
                    f"words[{index}].halves[0] = (int)(long)p;"
                    f" words[{index}].halves[1] = (int)((long)p >> 32);",
                    f"words[{index}].halves[1] = -1;",
                    f"nodes[{index}].value = words[{self.random.randrange(SLOTS)}];",
                    f"rows[{index}].cell = (cell){{{self.number()}, {{p}}}};",
                    f"rows[{index}].cell = rows[{self.random.randrange(SLOTS)}].cell;",
                    f"rows[{index}] = rows[{self.random.randrange(SLOTS)}];",
                    f"rows[{self.random.randrange(SLOTS)}] = rows[{index}];",
                ]
            )
        return f"{self.place()} = (void *)({value});"

    def stores(self):
        """Several stores to one object, which the optimizer merges, drops or moves."""
        a, b = (f"(unsigned)({self.number()}) % {SLOTS}" for _ in range(2))
        seldom = f"if ({self.number()} > {self.number()})"
        return self.random.choice(
            [
                f"nodes[{a}].next = 0; nodes[{a}].key = 0; nodes[{a}].value.pointer = 0;",
                f"cursors[{a}].from = 0; cursors[{a}].at = 0; cursors[{a}].left = 0;",
                f"cursors[{a}] = cursors[{b}];",
                f"cursors[{a}] = (cursor){{(char *)p, q, {self.number()}}};",
                f"{{ cursor c = cursors[{a}]; cursors[{a}] = cursors[{b}]; cursors[{b}] = c; }}",
                f"{{ cursor *c = &cursors[{a}]; c->at = (char *)p; slots[{b}] = 0; c->at += 8; }}",
                f"{{ cursor *c = &cursors[{a}]; {seldom} c->at = (char *)p; else c->at = 0;"
                " if (c->at) c->at++; }",
                f"{{ cursor *c = &cursors[{a}]; {seldom} {{ c->from = 0; c->at = c->from; }} }}",
                f"nodes[{a}].links[2] = nodes[{a}].links[3] = 0;",
                f"{{ row *r = &rows[{a}]; r->cell.word.pointer = p; r->cell = rows[{b}].cell; }}",
                f"{{ row *r = &rows[{a}]; r->cell = rows[{b}].cell;"
                f" r->cell.word.halves[1] = (int)({self.number()}) | 1 << 30; }}",
                f"{{ row *r = &rows[{a}]; r->cell.kind = 0; r->cell.word.pointer = p;"
                " r->cell.word.halves[0] = 0; r->cell.word.halves[1] = -1; }",
            ]
        )

    def statement(self, depth=0):
        pick = self.random.randrange(10)
        if pick < 4:
            return self.stores() if self.random.randrange(4) == 0 else self.store()
        if pick < 6:
            return f"v{self.random.randrange(10)} = {self.number()};"
        if pick == 6:
            return f"r{self.random.randrange(8)} += {self.real()};"
        if depth > 1:
            return self.store()
        body = " ".join(self.statement(depth + 1) for _ in range(self.random.randrange(1, 4)))
        if pick == 7:
            return f"if ({self.number()} > {self.number()}) {{ {body} }}"
        if pick == 8:
            return f"for (long i = 0; i < ({self.number(1)} & 7); i++) {{ {body} }}"
        # A condition that is computed before a store and used behind it.
        condition = f"{self.number()} < {self.number()}"
        return f"{{ int c{depth} = {condition}; {body} if (c{depth}) v0 ^= 77; }}"

    def function(self, index):
        lines = [
            f"unsigned long f{index}(void *p, const long *numbers, const double *reals, long n,",
            "                  void **to) {",
            f"  static void *own; void *local[{SLOTS}] = {{0}}; void *q = own; long i = 3;",
            *(f"  long v{v} = numbers[{v}];" for v in range(10)),
            *(f"  double r{r} = reals[{r}];" for r in range(8)),
        ]
        lines += [f"  {{ {self.statement()} }}" for _ in range(self.random.randrange(4, 14))]
        lines.append("  unsigned long h = (unsigned long)i; keep(local);")
        lines += [f"  h = h * 31 + (unsigned long)v{v};" for v in range(10)]
        lines += [f"  h ^= (unsigned long)(union word){{.real = r{r}}}.number;" for r in range(8)]
        lines.append(f"  for (int k = 0; k < {SLOTS}; k++)")
        lines.append("    h = h * 3 + (local[k] == p) + 2 * !local[k];")
        lines.append("  own = 0; return h;\n}")
        return "\n".join(lines)

    def text(self):
        functions = [self.function(index) for index in range(self.count)]
        names = ", ".join(f"f{index}" for index in range(self.count))
        return (
            HEADER
            + "void keep(void **local);\n"
            + "\n".join(functions)
            + FUNCTION
            + f"function *const functions[] = {{{names}}};\nconst int count = {self.count};\n"
        )


# The calls are made in the same order in both programs, so what they leave is the same but for the
# addresses.  Words that numbers or reals were stored in are no pointers in either.
MAIN = (
    HEADER
    + f"""
#include <stdio.h>
#include <string.h>
void *slots[{SLOTS}]; word words[{SLOTS}]; node nodes[{SLOTS}]; row rows[{SLOTS}];
cursor cursors[{SLOTS}];
{FUNCTION}extern function *const functions[]; extern const int count;
static void *volatile sink;
__attribute__((noinline)) void keep(void **local) {{ sink = local; sink = 0; }}
static int left(const void *p) {{
  int found = 0;
  const char *low = p, *high = low + sizeof(node);
#define IS(x) ((const char *)(x) >= low && (const char *)(x) < high)
  for (int i = 0; i < {SLOTS}; i++) {{
    found += IS(slots[i]) + IS(words[i].pointer) + IS(nodes[i].next) + IS(nodes[i].value.pointer);
    for (int k = 0; k < 4; k++) found += IS(nodes[i].links[k]);
    found += IS(rows[i].word.pointer) + IS(rows[i].cell.word.pointer);
    found += IS(cursors[i].from) + IS(cursors[i].at);
  }}
  return found;
}}
static void clear(void) {{
  memset(slots, 0, sizeof slots); memset(words, 0, sizeof words); memset(nodes, 0, sizeof nodes);
  memset(rows, 0, sizeof rows); memset(cursors, 0, sizeof cursors);
}}
static long numbers[16]; static double reals[16];
static void fill(int round) {{
  for (int i = 0; i < 16; i++) {{
    numbers[i] = (i * 7919L + round * 104729L) % 1000 - 500;
    reals[i] = (double)((i * 31 + round * 17) % 100) / 8;
  }}
}}
#ifdef REGIONS
#include <acre/acre.h>
static region r;
__attribute__((noinline)) static int call(int f, int round, unsigned long *h) {{
  node *p = ralloc(r, node);
  void *to = 0;
  *h = functions[f](p, numbers, reals, round, &to);
  to = 0;
  return left(p);
}}
#endif
static void one(int f, int round) deletes_ {{
  unsigned long h;
  int n;
  fill(round);
#ifdef REGIONS
  if (round >= 2) {{
    r = newregion();
    n = call(f, round, &h);
    int is_refused = !deleteregion(r);
    if (is_refused != (n != 0))
      printf("f%d round %d: %d left, refused %d\\n", f, round, n, is_refused);
    clear();
    if (is_refused && !deleteregion(r))
      printf("f%d round %d: refused when cleared\\n", f, round);
  }} else
#endif
  {{
    static node object;
    void *to = 0;
    h = functions[f](&object, numbers, reals, round, &to);
    n = left(&object);
    clear();
  }}
  printf("%d %d %lx %d\\n", f, round, h, n);
}}
int main(void) deletes_ {{
#ifdef REGIONS
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
#endif
  for (int round = 0; round < 6; round++)
    for (int f = 0; f < count; f++)
      one(f, round);
  return 0;
}}
"""
)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        said = done.stdout[-800:] + done.stderr
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{said}")
    return done.stdout


def compare(options, seed, work):
    paths = {name: os.path.join(work, name) for name in ("unit.c", "main.c", "plain", "acre")}
    for name, text in (("unit.c", Unit(seed, options.functions).text()), ("main.c", MAIN)):
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(text)
    both = ["-w", "-ffp-contract=off", paths["unit.c"], paths["main.c"]]
    for level in options.levels.split(","):
        flags = LEVELS[level]
        run([options.plain, *flags, *both, "-Ddeletes_=", "-o", paths["plain"]])
        regions = ["-DREGIONS", "-Ddeletes_=deletes"]
        run([options.acre_cc, *flags, *both, *regions, "-o", paths["acre"]])
        wanted = run([paths["plain"]])
        found = run([paths["acre"]], env={**os.environ, "ACRE_VERIFY": "1"})
        if wanted != found:
            lines = zip(wanted.splitlines() + ["end"], found.splitlines() + ["end"])
            first = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
            sys.exit(f"seed {seed}, {level}: plain clang has '{first[0]}', acre-cc '{first[1]}'")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument("--plain", default="clang-22")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4, help="units")
    parser.add_argument("--functions", type=int, default=60, help="in each")
    parser.add_argument("--levels", default=",".join(LEVELS))
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as work:
            compare(options, seed, work)
    print(f"seeds {options.seed} to {options.seed + options.count - 1}: no difference")


if __name__ == "__main__":
    main()
