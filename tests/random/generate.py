#!/usr/bin/env python3
"""Writes a random C program that moves region pointers about and knows what every count must be.

usage: generate.py --seed N [--operations K] [--keep I,J,...] [--walk W --steps S,T,...] > program.c

--keep writes only these of the K operations; --walk and --steps put chosen steps into the program.
"""

import argparse
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import operations
import shapes


class Program:
    def __init__(self, seed, operation_count):
        self.seed, self.rng = seed, random.Random(seed)
        self.structs, self.statics = [], []
        for number in range(self.rng.randint(2, 6)):
            self.structs.append(shapes.random_struct(number, self.structs, self.rng))
        # Copies, arrays and locals need a type of fixed size.
        if all(struct.flexible for struct in self.structs):
            self.structs[0].flexible = None
        for struct in self.structs:
            if not struct.flexible:
                for _ in range(self.rng.randint(1, 2)):
                    self.add_static(struct)
        weights = [weight for weight, _ in operations.TEMPLATES]
        templates = [template for _, template in operations.TEMPLATES]
        chosen = [operations.make_regions, operations.allocate, operations.delete]
        chosen += self.rng.choices(templates, weights, k=max(0, operation_count - len(chosen)))
        self.operations = [(template.__name__, template(self)) for template in chosen]

    def any_struct(self, flexible=True):
        return self.rng.choice([s for s in self.structs if flexible or not s.flexible])

    def add_static(self, struct):
        index = len(self.statics)
        self.statics.append((f"g{index}", struct, index))

    def static_definitions(self):
        text = ""
        rng = random.Random(self.seed + 1)
        for name, struct, _ in self.statics:
            storage = rng.choice(("static ", "", "static _Thread_local ", "_Thread_local "))
            text += f"{storage}{struct.name} {name}[{rng.randint(1, 4)}];\n"
        text += (
            f"static int static_objects[{len(self.statics)}];\n\nstatic void add_statics(void) {{\n"
        )
        for name, struct, index in self.statics:
            text += (
                f"  static_objects[{index}] = add_object(IN_STATIC, TRADITIONAL, {struct.number}, "
                f"sizeof {name} / sizeof *{name}, 0, sizeof {name}, {name});\n"
            )
        return text + "}\n"

    def text(self, keep, walk, steps):
        kept = [i for i in range(len(self.operations)) if keep is None or i in keep]
        text = (
            '#define _GNU_SOURCE\n#include "model.h"\n\nstatic const unsigned program_seed ='
            f" {self.seed};\n\n"
        )
        text += "".join(f"{s.name};\n" for s in self.structs) + "\n"
        text += "\n".join(s.definition() for s in self.structs) + "\n"
        text += self.static_definitions() + "\n"
        text += "".join(type_helpers(s) for s in self.structs) + type_table(self.structs) + JUMP
        for i in kept:
            name, body = self.operations[i]
            text += f"static NOINLINE void operation_{i}(void) deletes {{\n{body}}}\n\n"
        text += "static const struct named_operation operations[] = {\n"
        text += "".join(
            f'    {{"{self.operations[i][0]} (operation_{i})", operation_{i}}},\n' for i in kept
        )
        text += f"}};\nstatic const int operation_count = {len(kept)};\n\n"
        listed = ", ".join(map(str, steps)) if steps else "0"
        return (
            text
            + f"static const int embedded[] = {{{listed}}};\n\nint main(int argc, char **argv)"
            f" deletes {{\n  walk_seed = {walk};\n  return run_walk(argc, argv, embedded,"
            f" {len(steps)});\n}}\n"
        )


JUMP = """
/* Goes depth calls deep, each with a live and an exposed local, and jumps out of all of them. */
static NOINLINE void descend_and_jump(jmp_buf *out, int o, int depth) deletes {
  void *exposed = reveal(o), *live = reveal(o);
  expose(&exposed);
  if (depth == 0) {
    if (TRY_DELETE(false, delete_one(objects[o].region)))
      fail("a region was deleted under live locals");
    longjmp(*out, 1);
  }
  descend_and_jump(out, o, depth - 1);
  expose(live);
}

"""


def type_helpers(struct):
    number, name = struct.number, struct.name
    text = (
        f"static void clear_{number}(void *element, int slot) {{\n  {name} *x = element;\n  switch"
        " (slot) {\n"
    )
    done = set()
    for leaf in struct.leaves():
        if leaf.kind == shapes.POINTER:
            for path, slot in leaf.expanded():
                if slot not in done:
                    text += f"  case {slot}: x->{path} = 0; break;\n"
                    done.add(slot)
    text += "  }\n}\n"
    text += (
        f"__attribute__((unused)) static NOINLINE void assign_{number}({name} *to, {name} value) {{"
        f" *to = value; }}\n__attribute__((unused)) static NOINLINE {name} fetch_{number}({name}"
        " *from) { return *from; }\n__attribute__((unused)) static NOINLINE void"
        f" carry_{number}({name} *to, {name} value, int depth) {{\n  {name} local = value;\n  if"
        f" (depth & 1)\n    expose(&local);\n  if (depth)\n    carry_{number}(to, local, depth -"
        " 1);\n  else\n    *to = local;\n}\n"
    )
    if struct.key:
        text += (
            f"__attribute__((unused)) static int by_key_{number}(const void *a, const void *b) {{\n"
            f"  const {name} *x = a, *y = b;\n  return (x->key > y->key) - (x->key < y->key);\n}}\n"
        )
    return text + "\n"


def slot_table(name, struct):
    slots = {}
    for leaf in struct.leaves():
        for path, slot in leaf.expanded():
            slots.setdefault(slot, f"{{offsetof({struct.name}, {path}), {leaf.rule}}}")
    return (
        f"static const struct slot_info {name}[] ="
        f" {{{', '.join(slots[i] for i in sorted(slots))}}};\n"
    )


def type_table(structs):
    text, rows = "", ""
    for s in structs:
        text += slot_table(f"slots_{s.number}", s)
        tail = "0, 0, 0"
        flexible = "slots_0"
        if s.flexible:
            element, rule, _ = s.flexible
            flexible = f"tail_{s.number}"
            if element:
                text += slot_table(flexible, element)
            else:
                text += (
                    f"static const struct slot_info {flexible}[] = {{{{0,"
                    f" {shapes.RULES[rule]}}}}};\n"
                )
            tail = (
                f"{element.slots if element else 1}, offsetof({s.name}, tail), sizeof((({s.name}"
                " *)0)->tail[0])"
            )
        rows += (
            f"    {{sizeof({s.name}), _Alignof({s.name}), {s.slots}, {tail}, slots_{s.number},"
            f" {flexible}, clear_{s.number}}},\n"
        )
    return text + f"static const struct type_info types[] = {{\n{rows}}};\n"


def numbers(text):
    return [int(number) for number in text.split(",") if number]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--operations", type=int, default=40)
    parser.add_argument("--keep", type=numbers)
    parser.add_argument("--walk", type=int, default=0)
    parser.add_argument("--steps", type=numbers, default=[])
    options = parser.parse_args()
    program = Program(options.seed, options.operations)
    keep = None if options.keep is None else set(options.keep)
    sys.stdout.write(program.text(keep, options.walk, options.steps))


if __name__ == "__main__":
    main()
