#!/usr/bin/env python3
"""Makes random functions with owners, borrowers, arenas and addresses of locals, and judges them by
a model.

usage: ownership.py --acre-cc PATH [--seed N] [--count K] [--all]

owners.py makes the functions, owners_model.py runs each over all its paths at once. acre-cc has to
reject exactly those that break a rule on some path, and to warn of exactly those that lose an
object on some path, with two exceptions, which are counted: it may reject what is right where two
variables are each right, but it takes them together for wrong (only in functions that have such a
statement); and addresses of locals are an error only where that is certain. What is accepted is
compiled with AddressSanitizer and run; what has no warning must not leak either, and a run may be
ended by Acre only if the model says that a pointer into an arena is left to the running program.
Exit status: 0; 1 if the two disagree, with the function and the seed. The first disagreement ends
the run; with --all, each is printed, and at the end how many there are.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import owners
import owners_model
import place_model
import places

RUNS = 8
AT_ONCE = 1000  # functions of a program
INCLUDE = os.path.join(os.path.dirname(__file__), "..", "..", "include")


class Language:
    """How functions of one kind are made, judged, written and run."""

    def __init__(self, functions, model, is_plain):
        self.judged_function = model.judged_function
        self.functions, self.is_plain = functions, is_plain


# The second uses nothing that needs the runtime: it runs as what plain clang makes of it.
LANGUAGES = {
    "owners": Language(owners, owners_model, False),
    "places": Language(places, place_model, True),
}


def verdicts(options, functions, shape, directory):
    """By function: the messages that acre-cc has for it."""
    language = LANGUAGES[options.language].functions
    source = os.path.join(directory, "functions.c")
    lines, owner = list(language.declarations(shape)), {}
    for index, function in enumerate(functions):
        text = language.function_text(function, index)
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


def run_accepted(options, some, shape, directory, checks_leaks, is_alone):
    language = LANGUAGES[options.language]
    source, program = os.path.join(directory, "run.c"), os.path.join(directory, "run")
    lines = language.functions.declarations(shape) + language.functions.definitions(shape)
    for index, function in enumerate(some):
        lines += language.functions.function_text(function, index)
    call = "failed |= run_alone(f{}, seed);" if is_alone else "run(f{}, seed);"
    lines += [
        "int main(void) {",
        "  int failed = 0;",
        f"  for (unsigned seed = 0; seed < {RUNS}; seed++) {{",
    ]
    lines += [f"    {call.format(index)}" for index in range(len(some))]
    lines += ["  }", "  return failed;", "}"]
    with open(source, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    flags = ["-g", "-O1", "-w", "-fsanitize=address", *options.flags.split()]
    compiler = [options.plain, "-I", INCLUDE] if language.is_plain else [options.acre_cc]
    subprocess.run([*compiler, *flags, source, "-o", program], check=True)
    environment = dict(os.environ, ASAN_OPTIONS=f"detect_leaks={int(checks_leaks)}:handle_abort=0")
    done = subprocess.run([program], capture_output=True, text=True, env=environment, check=False)
    return done.stderr or f"exit status {done.returncode}" if done.returncode else ""


def complain(language, seed, function, text):
    print(f"seed {seed}: {text}\n" + "\n".join(language.functions.function_text(function, 0)))
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
    may_warn = model.may_warn and "warning" in kinds
    if "error" not in kinds and model.is_lossy != ("warning" in kinds) and not may_warn:
        return f"the model says {'lossy' if model.is_lossy else 'tight'}"
    return ""


def check_batch(options, seed, count, directory):
    rng, language = random.Random(seed), LANGUAGES[options.language]
    functions, judged, shape = [], [], language.functions.Shape(rng)
    while len(functions) < count:
        try:
            function, model = language.judged_function(rng)
        except OverflowError:
            continue
        functions.append(function)
        judged.append(model)
    accepted = {}
    conservative = missed = differing = 0
    for function, model, messages in zip(
        functions, judged, verdicts(options, functions, shape, directory)
    ):
        kinds = {kind for kind, _ in messages}
        if difference := disagreement(function, model, kinds):
            complain(language, seed, function, f"{difference}, acre-cc: {messages}")
            if not options.all:
                return 1
            differing += 1
            continue
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
    rejected = count - kept - missed - differing
    print(
        f"seed {seed}: {count} functions, {rejected} rejected, of which {conservative}"
        f" conservatively; {kept} run; {missed} with an address that may be kept too long;"
        f" {differing} judged otherwise"
    )
    return int(differing > 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--acre-cc", required=True)
    parser.add_argument(
        "--flags", default="", help="more options of acre-cc for the programs that run"
    )
    parser.add_argument("--language", choices=sorted(LANGUAGES), default="owners")
    parser.add_argument("--plain", default="clang", help="the clang that runs what needs no Acre")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument(
        "--count", type=int, default=int(os.environ.get("ACRE_RANDOM_FUNCTIONS", "300"))
    )
    parser.add_argument("--all", action="store_true", help="go on behind a disagreement")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    status = 0
    with tempfile.TemporaryDirectory() as directory:
        # Programs of some thousand functions take long to compile.
        for first in range(0, options.count, AT_ONCE):
            count = min(AT_ONCE, options.count - first)
            status |= check_batch(options, seed + first // AT_ONCE, count, directory)
            if status and not options.all:
                break
    return status


if __name__ == "__main__":
    sys.exit(main())
