"""Random functions with owners in all places: fields, elements, nested and global structures, out
parameters, cleanups, results and compound literals.

A place is a variable or a slot, with a name that is its C expression. A body is a list of pairs: a
statement of place_statements.py with its operands, or a block with its kind and parts. Every
function borrows a crate, sets an owner for its caller and returns a pair.
"""

import collections

from place_statements import DECLARATIONS, DEFINITIONS, STATEMENTS

# kind: variable, cleaned (a variable with a cleanup), local, heap, lent (below the parameter) or
# shared. root: what is declared, and pair: the structure of two around the place, if it is in one.
Place = collections.namedtuple("Place", "name sort kind root pair")


def pair_places(pair, kind, root):
    return [Place(f"{pair}.{field}", "text", kind, root, pair) for field in ("first", "second")]


def item_places(item):
    inside = f"{item}->inside"
    return [
        Place(f"{item}->name", "text", "heap", item, None),
        *pair_places(inside, "heap", item),
        Place(f"{item}->next", "item", "heap", item, None),
    ]


PLACES = [
    *[Place(name, "text", "variable", name, None) for name in ("t0", "t1")],
    *[Place(name, "item", "variable", name, None) for name in ("n0", "n1")],
    *[Place(name, "text", "cleaned", name, None) for name in ("k",)],
    *pair_places("p", "local", "p"),
    *pair_places("x", "local", "x"),
    *[Place(f"row[{index}]", "text", "local", "row", None) for index in (0, 1)],
    *pair_places("c.inner", "local", "c"),
    Place("c.shelf[1]", "text", "local", "c", None),
    Place("c.top", "item", "local", "c", None),
    *item_places("n0"),
    *item_places("n1"),
    *pair_places("q->inner", "lent", "q"),
    Place("q->shelf[0]", "text", "lent", "q", None),
    Place("q->shelf[2]", "text", "lent", "q", None),
    Place("q->top", "item", "lent", "q", None),
    Place("title", "text", "shared", "title", None),
    Place("front", "item", "shared", "front", None),
    *pair_places("spare", "shared", "spare"),
    Place("*out", "text", "out", "out", None),
]
BY_NAME = {place.name: place for place in PLACES}
# The variables that every function has besides those of its blocks, by what they begin with.
LOCALS = {
    "char *unique t0 = make_text(), *unique t1 = make_text();": ["t0", "t1"],
    "struct item *unique n0 = make_item(), *unique n1 = make_item();": ["n0", "n1"],
    "struct pair p = {0};": ["p"],
    "char *unique row[2] = {0};": ["row"],
    "struct crate c = {0};": ["c"],
}
IN_BLOCKS = ("x", "k")
SORTS = ("text", "item")
# How a structure of a block begins, as a statement about it says.
BEGINNINGS = ["x_unset", "x_zero", "x_made", "x_listed", "x_moved"]
CALLBACKS = ["compare", "compare_steady", "compare_frees"]


def is_variable(place):
    return place.kind in ("variable", "cleaned")


def is_apart(place, others):
    """Whether none is the place itself or in the object of the other."""
    alone = ("variable", "cleaned", "heap")
    return not any(
        place == other or (place.root == other.root and place.kind in alone) for other in others
    )


class Function:
    """A random body over some of the roots: with all of them, few would meet twice."""

    # The model sets it where a test of a slot in a loop tells what another place holds: acre-cc
    # knows that of variables only.
    is_relational = False

    def __init__(self, rng):
        self.rng = rng
        roots = ["p", "row", "c", "q", "title", "front", "spare"]
        self.roots = {"t0", "t1", "n0", "out", *rng.sample(roots, 3)}
        self.roots |= {"n1"} if rng.random() < 0.5 else set()
        self.inner = []  # the variables of the blocks around
        self.body = self.block(2, False)

    def change(self):
        """Takes a statement out of the body, or puts one in."""
        self.inner = []
        body = self.body
        while True:
            blocks = [each for each in body if each[0] not in STATEMENTS]
            if not blocks or self.rng.random() < 0.4:
                break
            kind, parts, *_ = self.rng.choice(blocks)
            self.inner += [kind] if kind in IN_BLOCKS else []
            body = self.rng.choice(parts)
        at = self.rng.randrange(len(body) + 1)
        if self.rng.random() < 0.4:
            del body[at : at + 1]
        elif new := self.statement(False):
            body.insert(at, new)

    def block(self, depth, is_in_loop):
        made = [self.part(depth, is_in_loop) for _ in range(self.rng.randint(1, 5))]
        return [each for each in made if each]

    def part(self, depth, is_in_loop):
        if depth and self.rng.random() < 0.3:
            return self.compound(depth - 1, is_in_loop)
        return self.statement(is_in_loop)

    def places(self, test):
        roots = self.roots | set(self.inner)
        return [place for place in PLACES if place.root in roots and test(place)]

    def compound(self, depth, is_in_loop):
        kind = self.rng.choice([*HEADS, "test", "x"])
        if kind in ("test", "fetch"):
            place = self.rng.choice(self.places(lambda each: each.kind != "heap")).name
            return (kind, [self.block(depth, is_in_loop) for _ in range(2)], place)
        if kind in IN_BLOCKS:
            if kind in self.inner:
                return None
            beginning = "k_made" if kind == "k" else self.rng.choice(BEGINNINGS)
            start = self.operands(beginning)
            self.inner.append(kind)
            block = self.block(depth, is_in_loop)
            self.inner.pop()
            return start and (kind, [block], start)
        parts = 2 if kind in ("if", "until") else 1
        is_in_loop = is_in_loop or kind in ("while", "do")
        return (kind, [self.block(depth, is_in_loop) for _ in range(parts)])

    def statement(self, is_in_loop):
        names = [name for name, each in STATEMENTS.items() for _ in range(each.weight)]
        kind = self.rng.choice(names)
        if kind in ("break", "continue") and not is_in_loop:
            return None
        return self.operands(kind)

    def operands(self, kind):
        """The statement with a place for each operand that it needs, or None if there is none."""
        rng = self.rng
        needs = STATEMENTS[kind].needs
        sort = next((each for each in needs if each in SORTS), None) or rng.choice(SORTS)
        found = {"sort": sort, "callback": rng.choice(CALLBACKS)}
        pools = {
            "v": lambda each: is_variable(each) and each.sort == sort,
            "s": lambda each: not is_variable(each) and each.sort == sort,
            "t": lambda each: is_variable(each) and each.sort == "text",
            "n": lambda each: each.sort == "item" and each.kind == "variable",
            "P": lambda each: each.pair and each.name.endswith("first"),
        }
        pools |= {"w": pools["v"], "z": pools["s"], "R": pools["P"]}
        for need in needs:
            if need in pools:
                others = [place for key, place in found.items() if key in pools]
                may_be_heap = kind not in BEGINNINGS and not guard_of(found)
                chosen = [
                    place
                    for place in self.places(pools[need])
                    if (may_be_heap or place.kind != "heap") and is_apart(place, others)
                ]
                if not chosen:
                    return None
                found[need] = rng.choice(chosen)
        return (kind, found)


def statement_text(kind, found):
    words = {key: each.name if isinstance(each, Place) else each for key, each in found.items()}
    for key in "PR":
        if key in found:
            words[key] = found[key].pair
    words["b"] = "b" if found["sort"] == "text" else "d"
    words["make"] = f"make_{found['sort']}()"
    words["drop"] = "free" if found["sort"] == "text" else "drop_item"
    text = STATEMENTS[kind].text.format(**words)
    owner = guard_of(found)
    return f"if ({owner}) {{ {text} }}" if owner else text


def guard_of(found):
    """The variable whose object has a place of the statement: it is tested first."""
    places = [each for each in found.values() if isinstance(each, Place)]
    return next((each.root for each in places if each.kind == "heap"), None)


HEADS = {
    "if": "if (choose()) {",
    "until": "if (choose()) {",
    "while": "while (choose()) {",
    "do": "do {",
    "test": "if ({name}) {{",
    "fetch": "if (get_{sort}(&{name}) == 0) {{",
    "x": "{",
    "k": "{",
}


def text_of(body, indent=1):
    lines, pad = [], "  " * indent
    for kind, *rest in body:
        if kind in STATEMENTS:
            lines.append(pad + statement_text(kind, *rest))
            continue
        parts = [text_of(part, indent + 1) for part in rest[0]]
        head = HEADS[kind]
        if kind in ("test", "fetch"):
            head = head.format(name=rest[1], sort=BY_NAME[rest[1]].sort)
        lines.append(pad + head)
        if kind in IN_BLOCKS:
            lines.append(pad + "  " + statement_text(*rest[1]))
        lines += parts[0]
        if len(parts) == 2:
            lines += [pad + "} else {", *parts[1]]
        if kind == "until":
            lines.append(pad + "  return (struct pair){0};")
        lines.append(pad + ("} while (choose());" if kind == "do" else "}"))
    return lines


def function_text(function, index):
    head = f"struct pair f{index}(struct crate *borrowed q, char *unique *acre_out out)"
    # Every other one has its words from a declaration, and means the same.
    inherited = [f"{head};", f"struct pair f{index}(struct crate *q, char **out) {{"]
    return [
        *(inherited if index % 2 else [f"{head} {{"]),
        *["  " + line for line, roots in LOCALS.items() if set(roots) & function.roots],
        "  const char *b = NULL;",
        "  const struct item *d = NULL;",
        *text_of(function.body),
        "  return (struct pair){0};",
        "}",
    ]


class Shape:
    """The types are the same in all programs."""

    def __init__(self, _):
        pass


def declarations(_):
    return DECLARATIONS


def definitions(_):
    return DEFINITIONS
