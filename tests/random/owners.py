"""Random functions with owners, borrowers, addresses of locals and arenas: how they are made and
what C they are.

A body is a list of statements, each a tuple (kind, operands...); those with blocks have them in a
list. Owners are named by their sort and a digit. Every condition is independent of all others.
"""

import collections

BORROWERS = ["a", "b"]
Sort = collections.namedtuple(
    "Sort", "type word pointee make drop is_make_call is_drop_call has_slots"
)
# Whether what makes and drops one is a call of a function that the compiler knows nothing of, and
# might swap any slot.
SORTS = {
    "text": Sort("char *unique", "unique", "char", "make_text()", "free({})", True, False, False),
    "node": Sort(
        "struct node *unique",
        "unique",
        "struct node",
        "make_node()",
        "acre_drop({})",
        True,
        False,
        True,
    ),
    "counted": Sort(
        "struct node *refcounted",
        "refcounted",
        "struct node",
        "rc_new(struct node)",
        "rc_drop({})",
        False,
        False,
        True,
    ),
    "weak": Sort(
        "acre_weak *unique",
        "unique",
        "acre_weak",
        "make_weak()",
        "acre_weak_drop({})",
        True,
        True,
        False,
    ),
    "key": Sort(
        "acre_key *unique",
        "unique",
        "acre_key",
        "acre_key_new()",
        "acre_key_drop({})",
        True,
        False,
        False,
    ),
    "shared_key": Sort(
        "acre_key *refcounted",
        "refcounted",
        "acre_key",
        "acre_key_new_shared()",
        "rc_drop({})",
        True,
        False,
        False,
    ),
}
PAIRS = [
    ("node", "text"),
    ("node", "counted"),
    ("counted", "weak"),
    ("node", "key"),
    ("counted", "shared_key"),
    ("key", "weak"),
    ("node", "shared_key"),
    ("counted", "text"),
]
PLACES = {
    sort: [
        f"slot_{sort}",
        f"table_{sort}[1]",
        f"table_{sort}[choose()]",
        f"box.{sort}",
        f"boxes[1].{sort}",
    ]
    for sort in SORTS
}
# The analysis knows of each variable what it may be, not of two together: where that matters it is
# conservative.
RELATIONAL = {"look_borrower", "swap_through", "deepen", "store", "share", "unshare"}


def lent_type(sort):
    """Of a parameter that borrows: one for references may be given nothing else, and others no
    reference."""
    return (
        sort.type + " borrowed"
        if sort.word == "refcounted"
        else sort.type.removesuffix(sort.word) + "borrowed"
    )


def sort_of(owner):
    return owner[:-1]


class Function:
    """A random body over two sorts of owners."""

    def __init__(self, rng):
        self.rng = rng
        self.sorts = rng.choice(PAIRS)
        self.owners = [f"{sort}{digit}" for sort in self.sorts for digit in "01"]
        self.names = 0
        self.is_relational = False
        self.lent = []  # the aliases that are open, and whether each has an owner with slots
        self.cleaned, self.records = (
            [],
            [],
        )  # owners with a cleanup, and structures with one owner, of the blocks around
        self.body = self.block(2, [], [], False)

    def block(self, depth, frames, arenas, may_leave):
        statements = [
            self.statement(depth, frames, arenas, may_leave) for _ in range(self.rng.randint(1, 5))
        ]
        return [each for each in statements if each]

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def compound(self, depth, frames, arenas, may_leave):
        kind = self.rng.choice(
            [
                "if",
                "if",
                "while",
                "do",
                "switch",
                "frame",
                "frame",
                "scope",
                "scope",
                "open",
                "lend",
                "lend",
                "clean",
                "clean",
                "record",
                "record",
            ]
        )
        if kind == "lend":
            return self.lend(depth, frames, arenas, may_leave)
        if kind in ("clean", "record"):
            return self.clean(kind, depth, frames, arenas, may_leave)
        keys = [owner for owner in self.owners if "key" in sort_of(owner)]
        if kind == "frame":
            name = self.fresh("v")
            return (kind, [self.block(depth - 1, frames + [name], arenas, may_leave)], name)
        if kind == "scope" or (kind == "open" and keys):
            name = self.fresh("r")
            return (
                kind,
                [self.block(depth - 1, frames, arenas + [name], may_leave)],
                name,
                self.rng.choice(keys) if kind == "open" else None,
            )
        if kind == "open":
            kind = "if"
        may_leave = kind in ("while", "do") or (may_leave and kind != "switch")
        parts = {"if": 2, "switch": 3}.get(kind, 1)
        return (kind, [self.block(depth - 1, frames, arenas, may_leave) for _ in range(parts)])

    def lend(self, depth, frames, arenas, may_leave):
        nodes = [owner for owner in self.owners if SORTS[sort_of(owner)].has_slots]
        if not nodes:
            return None
        name, owner = self.fresh("l"), self.rng.choice(nodes)
        self.lent.append(name)
        block = self.block(depth - 1, frames, arenas, may_leave)
        self.lent.pop()
        return ("lend", [block], name, owner)

    def clean(self, kind, depth, frames, arenas, may_leave):
        """A block with a variable that a cleanup frees: an owner, or a structure that begins
        without a value, or with zeros."""
        sort = self.rng.choice(self.sorts)
        names = self.cleaned if kind == "clean" else self.records
        name = sort + ("c" if kind == "clean" else "r")
        if name in names:
            return None
        names.append(name)
        block = self.block(depth - 1, frames, arenas, may_leave)
        names.pop()
        return (kind, [block], name, self.rng.random() < 0.5)

    def statement(self, depth, frames, arenas, may_leave):
        rng = self.rng
        if depth and rng.random() < 0.35:
            return self.compound(depth, frames, arenas, may_leave)
        one = rng.choice(self.owners + 2 * self.cleaned)
        two = next(
            owner for owner in self.owners if owner != one and sort_of(owner) == sort_of(one)
        )
        first, second = rng.sample(BORROWERS, 2)
        sort = sort_of(one)
        kinds = [
            "new",
            "new",
            "drop",
            "drop",
            "move",
            "null",
            "look",
            "give",
            "put",
            "get",
            "exchange",
            "choice",
            "length",
            "peek",
            "peek",
            "look_borrower",
            "return",
            "clear",
            "keep",
            "return_borrower",
            "refill",
            "sort",
        ]
        records = [record for record in self.records if sort_of(record) == sort]
        kinds += ["set_null"] * 3 * bool(records) + ["record_put", "record_get"] * 2 * bool(records)
        kinds += ["take_by_hand"] * 4 * (one in self.cleaned) + ["take_by_hand"]
        kinds += ["point"] * 3 * bool(frames) + (
            ["allocate"] * 3 + ["store"] * 2 + ["plant"]
        ) * bool(arenas)
        kinds += ["break", "continue"] * may_leave
        kinds += ["copy"] * 4 * bool(self.lent) + ["share", "unshare"] * 2 * bool(self.lent)
        kinds += ["deepen"] * ("node" in self.sorts or "counted" in self.sorts)
        if SORTS[sort].has_slots:
            kinds += (
                ["borrow"] * 3
                + ["deep", "deep", "fill", "take", "look_both"]
                + ["swap_through"] * ("node" in self.sorts)
            )
        if SORTS[sort].word == "refcounted":
            kinds += ["alias", "alias", "expire"]
        if sort == "node":
            kinds += ["deep_shared"]
        if self.sorts == ("counted", "weak"):
            kinds += ["weaken", "upgrade"]
        kind = rng.choice(kinds)
        if kind in ("fill", "take", "swap_through"):
            nodes = [owner for owner in self.owners if sort_of(owner) == "node" and owner != one]
            if not nodes:
                return None
            two = rng.choice(nodes)
        elif kind in ("weaken", "upgrade"):
            one, two = rng.choice(["counted0", "counted1"]), rng.choice(["weak0", "weak1"])
        self.is_relational |= kind in RELATIONAL
        lent = self.lent if kind in ("copy", "share", "unshare") else None
        extra = (
            {"point": frames, "allocate": arenas, "plant": arenas}.get(kind) or lent or PLACES[sort]
        )
        if kind in ("set_null", "record_put", "record_get"):
            extra = records
        return (kind, one, two, first, second, rng.choice(extra))


def simple_text(kind, one, two, first, second, extra):
    sort = sort_of(one)
    drop = SORTS[sort].drop
    ensure = f"if (!{one}) {one} = {SORTS[sort].make}; "
    return {
        "new": f"{one} = {SORTS[sort].make};",
        "drop": drop.format(one) + ";",
        "move": f"{one} = {two};",
        "null": f"{one} = NULL;",
        "look": f"look_{sort}({one});",
        "give": f"give_{sort}({one});",
        "put": drop.format(f"acre_swap(&{extra}, {one})") + ";",
        "get": f"{one} = acre_take(&{extra});",
        "exchange": f"{one} = acre_swap(&{two}, NULL);",
        "choice": f"give_{sort}(choose() ? {one} : {two});",
        "length": f"if (choose() && give_late_{sort}({one})) look_{sort}({two});",
        "peek": f"if ({first}) sum += {first}->value;",
        "look_borrower": f"look_node({first});",
        "return": "if (choose()) return NULL;",
        "return_borrower": f"if (choose()) return {first};",
        "clear": f"{first} = NULL;",
        "keep": f"global = {first};",
        "point": f"{first} = &{extra};",
        "allocate": f"{first} = ralloc({extra}, struct node);",
        "store": f"if ({first}) {first}->next = {second};",
        "plant": (
            f"{{ struct node *n = ralloc({extra}, struct node); acre_drop(acre_swap(&n->held,"
            " make_node())); }"
        ),
        "expire": (
            f"{{ acre_weak *unique w = acre_weak_new({one}); size_t count = acre_ref_count({one});"
            f" rc_drop({one}); expect(w, count > 1); acre_weak_drop(w); }}"
        ),
        "break": "if (choose()) break;",
        "continue": "if (choose()) continue;",
        "borrow": f"{first} = {one};",
        "deep": f"{first} = {one} ? {one}->held : NULL;",
        "deepen": f"{first} = {second} ? {second}->held : NULL;",
        "deep_shared": f"{first} = {extra};",
        "fill": f"{ensure}acre_drop(acre_swap(&{one}->held, {two}));",
        "take": f"{ensure}{two} = acre_take(&{one}->held);",
        "swap_through": f"if ({first}) acre_drop(acre_swap(&{first}->held, {two}));",
        "copy": f"{first} = {extra};",
        "share": f"{extra}_held.first = {first};",
        "unshare": f"{first} = {extra}_held.first;",
        "look_both": f"look_both({one}, {two});",
        "alias": f"{one} = rc_alias({two});",
        "weaken": f"{two} = acre_weak_new({one});",
        "upgrade": f"{one} = acre_weak_get(struct node, {two});",
        "refill": f"refill_{sort}(&{one});",
        "sort": "qsort(numbers, 4, sizeof *numbers, compare);",
        "take_by_hand": f"give_{sort}(TAKE({one}));",
        "set_null": f"{extra}.held = NULL;",
        "record_put": drop.format(f"acre_swap(&{extra}.held, {one})") + ";",
        "record_get": f"{one} = acre_take(&{extra}.held);",
    }[kind]


def text_of(block, indent=1):
    lines, pad = [], "  " * indent
    for kind, *rest in block:
        if not isinstance(rest[0], list):
            lines.append(pad + simple_text(kind, *rest))
            continue
        parts = [text_of(part, indent + 1) for part in rest[0]]
        if kind == "if":
            lines += [
                f"{pad}if (choose()) {{",
                *parts[0],
                f"{pad}}} else {{",
                *parts[1],
                f"{pad}}}",
            ]
        elif kind == "while":
            lines += [f"{pad}while (choose()) {{", *parts[0], f"{pad}}}"]
        elif kind == "do":
            lines += [f"{pad}do {{", *parts[0], f"{pad}}} while (choose());"]
        elif kind == "switch":  # the first falls through to the second
            lines += [
                f"{pad}switch (choose()) {{",
                f"{pad}case 0:;",
                *parts[0],
                f"{pad}case 1:;",
                *parts[1],
                f"{pad}  break;",
                f"{pad}default:;",
                *parts[2],
                f"{pad}}}",
            ]
        elif kind == "frame":
            lines += [f"{pad}{{", f"{pad}  struct node {rest[1]} = {{0}};", *parts[0], f"{pad}}}"]
        elif kind == "lend":
            lines += [
                f"{pad}{{",
                f"{pad}  acre_alias({rest[1]}, {rest[2]});",
                f"{pad}  struct pair {rest[1]}_held = {{{rest[1]}, NULL}};",
                *parts[0],
                f"{pad}  if ({rest[1]}_held.second) sum += {rest[1]}_held.second->value;",
                f"{pad}}}",
            ]
        elif kind == "clean":
            sort = SORTS[sort_of(rest[1])]
            value = sort.make if rest[2] else "NULL"
            lines += [
                f"{pad}{{",
                (
                    f"{pad}  __attribute__((cleanup(end_{sort_of(rest[1])}))) {sort.type} {rest[1]}"
                    f" = {value};"
                ),
                *parts[0],
                f"{pad}}}",
            ]
        elif kind == "record":
            value = " = {0}" if rest[2] else ""
            lines += [
                f"{pad}{{",
                (
                    f"{pad}  __attribute__((cleanup(end_record_{sort_of(rest[1])}))) "
                    f"struct record_{sort_of(rest[1])} {rest[1]}{value};"
                ),
                *parts[0],
                f"{pad}}}",
            ]
        elif kind == "scope":
            lines += [f"{pad}{{", f"{pad}  acre_scoped_region({rest[1]});", *parts[0], f"{pad}}}"]
        else:
            key = rest[2]
            lines += [
                f"{pad}if (!{key}) {key} = {SORTS[sort_of(key)].make};",
                f"{pad}{{",
                f"{pad}  acre_open({rest[1]}, {key});",
                *parts[0],
                f"{pad}}}",
            ]
    return lines


def function_text(function, index):
    owners = [f"  {SORTS[sort_of(owner)].type} {owner} = NULL;" for owner in function.owners]
    return [
        f"struct node *f{index}(void) {{",
        *owners,
        f"  struct node *{' = NULL, *'.join(BORROWERS)} = NULL;",
        *text_of(function.body),
        "  return NULL;",
        "}",
    ]


# Other fields that a node may have, and how make_node fills them.
FIELDS = [
    ("char *unique label;", 'p->label = strdup("node");'),
    ("struct node *unique many[3];", "p->many[1] = make_leaf();"),
    ("struct { short kind; struct node *unique inner; } part;", "p->part.inner = make_leaf();"),
    (
        "struct { char *unique name; struct node *refcounted shared; } pair[2];",
        'p->pair[1].name = strdup("pair"); p->pair[0].shared = rc_new(struct node);',
    ),
    ("char bytes[7];", ""),
    ("double weight;", ""),
]


class Shape:
    """What else a node has, and the order of its fields."""

    def __init__(self, rng):
        others = [each for each in FIELDS if rng.random() < 0.4]
        held = rng.choice(
            ["struct node *unique held;", "struct { char kind; struct node *unique held; };"]
        )
        fields = ["struct node *next;", held, "int value;", *[field for field, _ in others]]
        rng.shuffle(fields)
        self.fields, self.fill = " ".join(fields), " ".join(fill for _, fill in others)


def declarations(shape):
    lines = [
        "#include <acre/scope.h>",
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "#include <string.h>",
        f"struct node {{ {shape.fields} }};",
        "extern unsigned choices[64], position;",
        "extern int sum;",
        "#define choose() (position < 4096 ? choices[position++ & 63] & 1 : 0)",
        "char *unique make_text(void);",
        "struct node *unique make_node(void);",
        "acre_weak *unique make_weak(void);",
        "struct pair { struct node *first, *second; };",
        "void look_both(struct node *borrowed p, struct node *borrowed q);",
        "void expect(const acre_weak *borrowed p, int is_alive);",
    ]
    for name, sort in SORTS.items():
        lines += [
            f"void look_{name}({lent_type(sort)} p);",
            f"void give_{name}({sort.type} p);",
            f"int give_late_{name}({sort.type} p);",
            f"void refill_{name}({sort.type} *slot);",
            f"struct record_{name} {{ int number; {sort.type} held; }};",
            f"void end_{name}({sort.type} *slot);",
            f"void end_record_{name}(struct record_{name} *p);",
        ]
    lines += [
        "extern int numbers[4];",
        "int compare(const void *a, const void *b);",
        (
            "#define TAKE(p) ({ __typeof__(p) *slot_ = &(p); __typeof__(p) value_ = *slot_; *slot_"
            " = NULL; value_; })"
        ),
    ]
    lines += [
        "struct box { " + " ".join(f"{sort.type} {name};" for name, sort in SORTS.items()) + " };",
        "static struct box box, boxes[2];",
        "static struct node *global;",
    ]
    return lines + [
        f"static {sort.type} slot_{name}, *{sort.word} table_{name}[2];"
        for name, sort in SORTS.items()
    ]


RUN = """\
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


def definitions(shape):
    lines = [
        "unsigned choices[64], position;",
        "int sum;",
        "char *unique make_text(void) { return calloc(1, 8); }",
        (
            "static inline struct node *unique make_leaf(void) { return calloc(1, sizeof(struct"
            " node)); }"
        ),
        "struct node *unique make_node(void) {",
        "  struct node *unique p = make_leaf();",
        f"  if (p) {{ {shape.fill} }}",
        "  return p;",
        "}",
        "void expect(const acre_weak *borrowed p, int is_alive) {",
        "  if (!p) return;",
        "  struct node *refcounted s = acre_weak_get(struct node, p);",
        "  if ((s != NULL) != is_alive) abort();",
        "  rc_drop(s);",
        "}",
        "void look_both(struct node *borrowed p, struct node *borrowed q) {",
        "  if (p && q && p->held != q->held) sum += p->value;",
        "}",
        "static struct node *refcounted anchor;",
        "acre_weak *unique make_weak(void) {",
        "  if (!anchor) acre_ref_drop(acre_swap(&anchor, rc_new(struct node)));",
        "  struct node *refcounted s = rc_alias(anchor);",
        "  acre_weak *unique weak = acre_weak_new(s);",
        "  rc_drop(s);",
        "  return weak;",
        "}",
    ]
    for name, sort in SORTS.items():
        touch = {
            "text": "sum += p ? *p : 0;",
            "node": "for (; p; p = p->held) sum += p->value;",
            "counted": "for (; p; p = p->held) sum += p->value;",
            "weak": "if (p) rc_drop(acre_weak_get(struct node, p));",
            "key": "if (p) { acre_open(r, p); sum += !acre_root(struct node, r); }",
        }[name.removeprefix("shared_")]
        lines += [
            f"void look_{name}({lent_type(sort)} p) {{ {touch} }}",
            f"void give_{name}({sort.type} p) {{ {sort.drop.format('p')}; }}",
            f"int give_late_{name}({sort.type} p) {{ {sort.drop.format('p')}; return 0; }}",
            (
                f"void refill_{name}({sort.type} *slot) {{"
                f" {sort.drop.format(f'acre_swap(slot, {sort.make})')}; }}"
            ),
            f"void end_{name}({sort.type} *slot) {{ {sort.drop.format('acre_take(slot)')}; }}",
            (
                f"void end_record_{name}(struct record_{name} *p) {{"
                f" {sort.drop.format('acre_take(&p->held)')}; }}"
            ),
        ]
    lines += [
        "int numbers[4] = {3, 1, 2, 0};",
        "int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }",
    ]
    places = [(name, place.replace("choose()", "0")) for name in SORTS for place in PLACES[name]]
    drops = [SORTS[name].drop.format(f"acre_take(&{place})") for name, place in places]
    return lines + [
        "static void drop_all(void) {",
        *[f"  {drop};" for drop in drops],
        "  rc_drop(acre_take(&anchor));",
        "  global = NULL;",
        "}",
        RUN,
    ]
