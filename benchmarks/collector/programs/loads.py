# SPDX-License-Identifier: MIT
"""What programs read: made from a seed, so that it is the same each time."""

import functools
import pathlib
import random


def write(directory, name, lines):
    path = pathlib.Path(directory) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="ascii")


def vocabulary(choose):
    return [
        "".join(choose.choice("etaoinshrdlucmfw") for _ in range(choose.randint(2, 9)))
        for _ in range(8000)
    ]


def frequent(choose, known):
    """One of the words, of which few are frequent, as in a language."""
    return known[min(int(choose.paretovariate(0.7)), len(known)) - 1]


@functools.cache
def usual_vocabulary():
    return vocabulary(random.Random(20010620))


def words(count, seed):
    choose, known = random.Random(seed), usual_vocabulary()
    return [frequent(choose, known) for _ in range(count)]


def prose(lines, seed):
    """Lines of four to nine words."""
    choose, every = random.Random(seed), words(lines * 9, seed)
    for number in range(lines):
        first = number * 9
        yield " ".join(every[first : first + choose.randint(4, 9)])


def c_source(functions, seed):
    """The lines of a C file: structures, and functions that call earlier ones."""
    choose = random.Random(seed)
    yield "#include <stdio.h>"
    for number in range(functions):
        name = f"unit{seed}_{number}"
        yield f"#define LIMIT_{name.upper()} {choose.randint(1, 999)}"
        yield f"struct state_{name} {{ int count, size; struct state_{name} *next;"
        yield "  char text[16]; };"
        yield f"static int total_{name};"
        yield f"int step_{name}(struct state_{name} *s, int limit) {{"
        yield f"  /* {' '.join(words(7, seed + number))} */"
        yield "  int sum = 0;"
        yield "  for (int i = 0; i < limit; i++) { if (s->count > i) { sum += s->size * i;"
        yield f'    }} else {{ printf("%d {choose.randint(1, 99)}\\n", sum); s = s->next; }} }}'
        if number:
            yield f"  sum += step_unit{seed}_{choose.randrange(number)}(0, sum);"
        yield f"  total_{name} += sum; return sum; }}"
