#!/usr/bin/env python3
"""Makes random functions with unique and borrowed pointers and judges them by a model.

usage: ownership.py --acre-cc PATH --clang PATH [--seed N] [--count K]

The model runs each function over all its paths at once: a set of states, each saying of every pointer whether it is
null, owns an object, or is consumed.  Since every condition is independent, acre-cc has to reject exactly the functions
that use what is consumed on some path, and to warn of exactly those that lose an object on some path.  What is accepted
is compiled by plain clang with AddressSanitizer and run; what has no warning must not leak either.
Exit status: 0; 1 if the two disagree, with the function and the seed.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")
OWNERS, BORROWERS, SLOT = ["p", "q", "r"], ["a", "b"], "slot"
STATES_AT_MOST = 4000
HEADER = """\
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int choose(void);
void look(const char *borrowed p);
void give(char *unique p);
int give_late(char *unique p);
char *unique make(void);
"""
MAIN = """\
static unsigned state;
int choose(void) { state = state * 1103515245 + 12345; return state >> 16 & 1; }
void look(const char *p) { volatile char c; if (p) c = *p; (void)c; }
void give(char *p) { free(p); }
int give_late(char *p) { free(p); return 0; }
char *make(void) { return calloc(1, 8); }
"""


class Function:
    """A random body: nested lists of ("kind", operands...)."""

    def __init__(self, rng):
        self.rng = rng
        self.body = self.block(2)

    def block(self, depth):
        return [self.statement(depth) for _ in range(self.rng.randint(1, 5))]

    def statement(self, depth):
        rng = self.rng
        if depth and rng.random() < 0.3:
            kind = rng.choice(["if", "if", "while", "do", "switch"])
            return (kind, [self.block(depth - 1) for _ in range({"if": 2, "switch": 3}.get(kind, 1))])
        kind = rng.choice(["new", "new", "free", "free", "move", "null", "use", "give", "put", "get", "exchange", "choice",
                           "borrow", "borrow", "look", "return", "length"])
        return (kind, *rng.sample(OWNERS, 2), rng.choice(BORROWERS))


def text_of(block, indent=1):
    lines, pad = [], "  " * indent
    for kind, *rest in block:
        if kind in ("if", "while", "do", "switch"):
            parts = [text_of(part, indent + 1) for part in rest[0]]
            if kind == "if":
                lines += [f"{pad}if (choose()) {{", *parts[0], f"{pad}}} else {{", *parts[1], f"{pad}}}"]
            elif kind == "while":
                lines += [f"{pad}while (choose()) {{", *parts[0], f"{pad}}}"]
            elif kind == "do":
                lines += [f"{pad}do {{", *parts[0], f"{pad}}} while (choose());"]
            else:  # the first falls through to the second
                lines += [f"{pad}switch (choose()) {{", f"{pad}case 0:", *parts[0], f"{pad}case 1:", *parts[1],
                          f"{pad}  break;", f"{pad}default:", *parts[2], f"{pad}}}"]
            continue
        one, two, borrower = rest
        lines.append(pad + {
            "new": f"{one} = make();", "free": f"free({one});", "move": f"{one} = {two};", "null": f"{one} = NULL;",
            "use": f"look({one});", "give": f"give({one});", "put": f"free(acre_swap(&{SLOT}, {one}));",
            "get": f"{one} = acre_take(&{SLOT});", "exchange": f"{one} = acre_swap(&{two}, NULL);",
            "choice": f"give(choose() ? {one} : {two});", "borrow": f"{borrower} = {one};", "look": f"look({borrower});",
            "return": "if (choose()) return;", "length": f"if (choose() && give_late({one})) look({two});"}[kind])
    return lines


class Wrong(Exception):
    """On some path something consumed is used."""


class Model:
    """Runs a body on a set of states: (owner conditions..., borrowers' owners or None or "lost")."""

    def __init__(self):
        self.is_wrong = self.is_lossy = False

    def judge(self, body):
        start = tuple(["null"] * len(OWNERS) + [None] * len(BORROWERS))
        self.leave(self.run(body, {start}))
        return self

    def leave(self, states):
        if any("live" in state[:len(OWNERS)] for state in states):
            self.is_lossy = True

    def run(self, body, states):
        for kind, *rest in body:
            if kind == "if":
                states = self.run(rest[0][0], states) | self.run(rest[0][1], states)
            elif kind == "switch":
                fallen = self.run(rest[0][0], states)
                states = self.run(rest[0][1], states | fallen) | self.run(rest[0][2], states)
            elif kind in ("while", "do"):
                seen, new = set(states), set(states)
                ends = set()
                while new:
                    out = self.run(rest[0][0], new)
                    ends |= out
                    new = out - seen
                    seen |= out
                states = seen if kind == "while" else ends
            elif kind == "return":
                self.leave(states)
            elif kind == "length":
                one, two, _ = rest
                # give_late's result is not known: both ways after it.
                after = self.run([("give", one, one, None)], states)
                states = states | after | self.run([("use", two, two, None)], after)
            elif kind == "choice":
                one, two, _ = rest
                states = self.run([("give", one, one, None)], states) | self.run([("give", two, two, None)], states)
            else:
                states = {after for state in states if (after := self.step(kind, rest, state)) is not None}
            if len(states) > STATES_AT_MOST:
                raise OverflowError
        return states

    def step(self, kind, rest, state):
        one, two, borrower = rest
        now = dict(zip(OWNERS + BORROWERS, state))

        def use(name):
            if now[name] in ("consumed", "lost"):
                raise Wrong

        def consume(name):
            use(name)
            now[name] = "consumed"
            for each in BORROWERS:
                if now[each] == name:
                    now[each] = "lost"

        def assign(name, value):
            self.is_lossy |= now[name] == "live"
            now[name] = value

        try:
            if kind in ("free", "give", "put"):
                consume(one)
            elif kind == "use":
                use(one)
            elif kind == "look":
                use(borrower)
            elif kind == "borrow":
                use(one)
                now[borrower] = one
            elif kind == "move":
                value = now[two]
                consume(two)
                assign(one, value)
            elif kind in ("new", "get"):
                assign(one, "live")
            elif kind == "null":
                assign(one, "null")
            elif kind == "exchange":
                use(two)
                now[two] = "null"
                for each in BORROWERS:
                    if now[each] == two:
                        now[each] = "lost"
                assign(one, "live")
        except Wrong:
            self.is_wrong = True
            return None
        return tuple(now[name] for name in OWNERS + BORROWERS)


def source_of(functions, header):
    """The text, and for each line the index of its function."""
    lines, owner = header.splitlines() + [f"static char *unique {SLOT};"], {}
    for index, function in enumerate(functions):
        start = len(lines)
        lines += [f"void f{index}(void) {{", f"  char *unique {', *unique '.join(f'{name} = NULL' for name in OWNERS)};",
                  f"  const char *{', *'.join(f'{name} = NULL' for name in BORROWERS)};",
                  *text_of(function.body), "}"]
        for line in range(start, len(lines)):
            owner[line + 1] = index
    return "\n".join(lines) + "\n", owner


def verdicts(options, functions, directory):
    """By function: the messages that acre-cc has for it."""
    source = os.path.join(directory, "functions.c")
    text, owner = source_of(functions, HEADER)
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    done = subprocess.run([options.acre_cc, "-fsyntax-only", "-ferror-limit=0", source], capture_output=True, text=True,
                          check=False)
    found = [[] for _ in functions]
    for line, kind, message in re.findall(r"^[^:\n]*:(\d+):\d+: (error|warning): (.*)$", done.stderr, re.M):
        found[owner[int(line)]].append((kind, message))
    return found


def run_accepted(options, functions, directory, checks_leaks):
    source, program = os.path.join(directory, "run.c"), os.path.join(directory, "run")
    calls = "".join(f"  f{index}();\n" for index in range(len(functions)))
    text, _ = source_of(functions, HEADER + MAIN)
    with open(source, "w", encoding="ascii") as file:
        file.write(text + f"int main(int n, char **v) {{\n  state = (unsigned)atoi(v[n - 1]);\n{calls}"
                          f"  free({SLOT});\n  return 0;\n}}\n")
    subprocess.run([options.clang, "-g", "-O0", "-w", "-fsanitize=address", f"-I{INCLUDE}", source, "-o", program],
                   check=True)
    environment = dict(os.environ, ASAN_OPTIONS=f"detect_leaks={int(checks_leaks)}")
    for seed in range(8):
        done = subprocess.run([program, str(seed)], capture_output=True, text=True, env=environment, check=False)
        if done.returncode:
            return f"choices {seed}: {done.stderr}"
    return ""


def complain(seed, function, text):
    print(f"seed {seed}: {text}\n" + "\n".join(text_of(function.body)))
    return 1


def check_batch(options, seed, count, directory):
    rng = random.Random(seed)
    functions, judged = [], []
    while len(functions) < count:
        function = Function(rng)
        try:
            judged.append(Model().judge(function.body))
        except OverflowError:
            continue
        functions.append(function)
    clean, lossy = [], []
    for function, model, messages in zip(functions, judged, verdicts(options, functions, directory)):
        kinds = {kind for kind, _ in messages}
        if model.is_wrong != ("error" in kinds):
            return complain(seed, function, f"the model says {'wrong' if model.is_wrong else 'right'}, acre-cc: {messages}")
        if not model.is_wrong and model.is_lossy != ("warning" in kinds):
            return complain(seed, function, f"the model says {'lossy' if model.is_lossy else 'tight'}, acre-cc: {messages}")
        if not model.is_wrong:
            (lossy if model.is_lossy else clean).append(function)
    for accepted, checks_leaks in ((clean, True), (lossy, False)):
        reason = run_accepted(options, accepted, directory, checks_leaks)
        if reason:
            print(f"seed {seed}: accepted functions fail: {reason}")
            return 1
    print(f"seed {seed}: {count} functions, {count - len(clean) - len(lossy)} rejected, {len(lossy)} lose objects")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory() as directory:
        return check_batch(options, seed, options.count, directory)


if __name__ == "__main__":
    sys.exit(main())
