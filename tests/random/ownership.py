#!/usr/bin/env python3
"""Makes random functions with owners, borrowers, arenas and addresses of locals, and judges them by
a model.

usage: ownership.py --acre-cc PATH [--seed N] [--count K]

owners.py makes the functions, owners_model.py runs each over all its paths at once. acre-cc has to
reject exactly those that break a rule on some path, and to warn of exactly those that lose an
object on some path, with two exceptions, which are counted: it may reject what is right where two
variables are each right, but it takes them together for wrong (only in functions that have such a
statement); and addresses of locals are an error only where that is certain. What is accepted is
compiled with AddressSanitizer and run; what has no warning must not leak either, and a run may be
ended by Acre only if the model says that a pointer into an arena is left to the running program.
Exit status: 0; 1 if the two disagree, with the function and the seed.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import owners
from owners_model import Model

RUNS = 8
MAIN = """\
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void run(struct node *(*function)(void), unsigned seed) {
  for (int i = 0; i < 64; i++)
    choices[i] = (seed = seed * 1103515245 + 12345) >> 16;
  position = 0;
  function();
  drop_all();
  if (!acre_verify())
    abort();
}
/* Where the running program decides, each function has a process, which may end with a message. */
static int run_alone(struct node *(*function)(void), unsigned seed) {
  pid_t child = fork();
  if (child == 0) {
    run(function, seed);
    exit(0);
  }
  int status = 0;
  return waitpid(child, &status, 0) != child ||
         (status != 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT));
}
"""


def verdicts(options, functions, shape, directory):
    """By function: the messages that acre-cc has for it."""
    source = os.path.join(directory, "functions.c")
    lines, owner = owners.declarations(shape), {}
    for index, function in enumerate(functions):
        text = owners.function_text(function, index)
        owner.update({len(lines) + each + 1: index for each in range(len(text))})
        lines += text
    with open(source, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    done = subprocess.run(
        [options.acre_cc, "-fsyntax-only", "-ferror-limit=0", source],
        capture_output=True,
        text=True,
        check=False,
    )
    found = [[] for _ in functions]
    for line, kind, message in re.findall(
        r"^[^:\n]*:(\d+):\d+: (error|warning): (.*)$", done.stderr, re.M
    ):
        found[owner[int(line)]].append((kind, message))
    return found


def run_accepted(options, functions, shape, directory, checks_leaks, is_alone):
    source, program = os.path.join(directory, "run.c"), os.path.join(directory, "run")
    lines = owners.declarations(shape) + owners.definitions(shape) + [MAIN]
    for index, function in enumerate(functions):
        lines += owners.function_text(function, index)
    call = "failed |= run_alone(f{}, seed);" if is_alone else "run(f{}, seed);"
    lines += [
        "int main(void) {",
        "  int failed = 0;",
        f"  for (unsigned seed = 0; seed < {RUNS}; seed++) {{",
    ]
    lines += [f"    {call.format(index)}" for index in range(len(functions))]
    lines += ["  }", "  return failed;", "}"]
    with open(source, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    flags = ["-g", "-O1", "-w", "-fsanitize=address", *options.flags.split()]
    subprocess.run([options.acre_cc, *flags, source, "-o", program], check=True)
    environment = dict(os.environ, ASAN_OPTIONS=f"detect_leaks={int(checks_leaks)}:handle_abort=0")
    done = subprocess.run([program], capture_output=True, text=True, env=environment, check=False)
    return done.stderr or f"exit status {done.returncode}" if done.returncode else ""


def complain(seed, function, text):
    print(f"seed {seed}: {text}\n" + "\n".join(owners.function_text(function, 0)))
    return 1


def disagreement(function, model, kinds):
    if model.is_wrong and "error" not in kinds:
        return "the model says wrong"
    if (
        not model.is_wrong
        and "error" in kinds
        and not (model.is_doubtful or function.is_relational)
    ):
        return "the model says right"
    if "error" not in kinds and model.is_lossy != ("warning" in kinds):
        return f"the model says {'lossy' if model.is_lossy else 'tight'}"
    return ""


def check_batch(options, seed, count, directory):
    rng = random.Random(seed)
    functions, judged, shape = [], [], owners.Shape(rng)
    while len(functions) < count:
        function = owners.Function(rng)
        try:
            judged.append(Model(function).judge())
        except OverflowError:
            continue
        functions.append(function)
    accepted = {}
    conservative = missed = 0
    for function, model, messages in zip(
        functions, judged, verdicts(options, functions, shape, directory)
    ):
        kinds = {kind for kind, _ in messages}
        if difference := disagreement(function, model, kinds):
            return complain(seed, function, f"{difference}, acre-cc: {messages}")
        conservative += not model.is_wrong and "error" in kinds
        missed += model.is_doubtful and "error" not in kinds
        if "error" not in kinds and not model.is_doubtful:
            checks_leaks = not (model.is_lossy or model.is_dynamic or model.is_forgetful)
            accepted.setdefault((checks_leaks, model.is_dynamic), []).append(function)
    for (checks_leaks, is_alone), some in accepted.items():
        if reason := run_accepted(options, some, shape, directory, checks_leaks, is_alone):
            print(f"seed {seed}: accepted functions fail: {reason}")
            return 1
    kept = sum(map(len, accepted.values()))
    print(
        f"seed {seed}: {count} functions, {count - kept - missed} rejected, of which {conservative}"
        f" conservatively; {kept} run; {missed} with an address that may be kept too long"
    )
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument(
        "--flags", default="", help="more options of acre-cc for the programs that run"
    )
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory() as directory:
        return check_batch(options, seed, options.count, directory)


if __name__ == "__main__":
    sys.exit(main())
