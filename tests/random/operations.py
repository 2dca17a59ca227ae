"""Random operations: C functions that change real memory and the model of model.h in the same way.

Each template takes the program and returns the body of one function.  In the bodies o and p are
objects of the model, e an element, k a slot, q a target, x and y the real objects.
"""

from shapes import NUMBER, POINTER

TEMPLATES = []


def operation(weight):
    def register(template):
        TEMPLATES.append((weight, template))
        return template

    return register


def pick(struct, object_name="o", element="e", pointer="x"):
    return (
        f"  int {object_name} = pick_object({struct.number}, -1);\n"
        f"  if ({object_name} < 0)\n    return;\n"
        f"  int {element} = rnd(objects[{object_name}].elements);\n"
        f"  {struct.name} *{pointer} = ({struct.name} *)reveal({object_name}) + {element};\n"
    )


def model_slot(struct, leaf, object_name="o", element="e"):
    return f"{element} * {struct.slots} + {leaf.slot()}"


def rule_word(leaf):
    return {
        "SAMEREGION": "sameregion ",
        "PARENTPTR": "parentptr ",
        "TRADITIONAL_ONLY": "traditional ",
    }.get(leaf.rule, "")


STORES = {  # forms that any slot can be stored in by
    "direct": "  {slot} = v;\n",
    "twice": "  {slot} = 0;\n  {slot} = v;\n  {slot} = {slot};\n",
    "by pointer": "  {ctype} *{rule}*s = &{slot};\n  *s = v;\n",
    "by increment": "  {ctype} *{rule}*s = &{slot};\n  *s++ = v;\n",
    "conditional": "  *(rnd(2) ? &{slot} : &{slot}) = v;\n",
    "comma": "  (void)(expose(0), {slot} = v);\n",
    "expression": "  {slot} = ({{ {ctype} *inner = v; expose(&inner); inner; }});\n",
    "in a loop": "  for (int turn = 0; turn < 3; turn++)\n    {slot} = turn < 2 ? 0 : v;\n",
    "switched": (
        "  switch (rnd(3)) {{\n  case 0: {slot} = v; break;\n  case 1: {slot} = 0;\n"
        "    __attribute__((fallthrough));\n  default: {slot} = v;\n  }}\n"
    ),
    "memcpy": "  {ctype} *source = v;\n  memcpy((void *)&{slot}, &source, sizeof source);\n",
}
PLAIN_STORES = {  # forms that only a plain slot or a union's pointer allows
    "by function": "  put((void **)&{slot}, (void *)v);\n",
    "by variadic function": (
        "  put_variadic(2, (void **)&{slot}, (void *)0, (void **)&{slot}, (void *)v);\n"
    ),
    "atomic": "  __atomic_store_n(&{slot}, v, __ATOMIC_RELAXED);\n",
    "exchange": "  (void)__atomic_exchange_n(&{slot}, v, __ATOMIC_SEQ_CST);\n",
    "compare and exchange": (
        "  {ctype} *old = {slot};\n  __atomic_compare_exchange_n(&{slot}, &old, v, 0, 5, 5);\n"
    ),
    "volatile": "  *({ctype} *volatile *)&{slot} = v;\n",
    "cast": "  *(char **)&{slot} = (char *)v;\n",
}


def store_lines(program, leaf, slot):
    forms = dict(STORES)
    if leaf.rule in ("PLAIN", "UNION"):
        forms.update(PLAIN_STORES)
    name = program.rng.choice(sorted(forms))
    return forms[name].format(slot=slot, ctype=leaf.ctype, rule=rule_word(leaf))


@operation(10)
def store(program):
    struct = program.any_struct()
    leaf = program.rng.choice([l for l in struct.leaves() if l.kind == POINTER])
    known = [s for s in program.statics if s[1] is struct]
    if known and program.rng.random() < 0.3:
        name, _, index = program.rng.choice(known)
        place = f"  int o = static_objects[{index}], e = rnd(objects[o].elements);\n"
        slot = f"{name}[e].{leaf.path}"
    else:
        place, slot = pick(struct), f"x->{leaf.path}"
    return (
        place
        + leaf.declare_indexes()
        + f"  int k = {model_slot(struct, leaf)}, q = pick_target({leaf.rule},"
        " objects[o].region);\n"
        f"  {leaf.ctype} *v = point_into(q);\n"
        + store_lines(program, leaf, slot)
        + "  model_set(o, k, q);\n"
    )


@operation(3)
def store_number(program):
    candidates = [(s, l) for s in program.structs for l in s.leaves() if l.kind == NUMBER]
    if not candidates:
        return store(program)
    struct, leaf = program.rng.choice(candidates)
    return (
        pick(struct)
        + leaf.declare_indexes()
        + f"  x->{leaf.path} = {leaf.ctype};\n"
        f"  model_set(o, {model_slot(struct, leaf)}, NOT_A_POINTER);\n"
    )


@operation(2)
def store_tail(program):
    struct = next((s for s in program.structs if s.flexible), None)
    if not struct:
        return store(program)
    element, rule, ctype = struct.flexible
    rule_name = {"": "PLAIN", "sameregion ": "SAMEREGION"}[rule]
    head = (
        f"  int o = pick_object({struct.number}, -1);\n  if (o < 0 || !objects[o].flexible)\n   "
        f" return;\n  {struct.name} *x = reveal(o);\n  int at = rnd(objects[o].flexible);\n"
    )
    if not element:
        return (
            head
            + f"  int q = pick_target({rule_name}, objects[o].region);\n  x->tail[at] ="
            f" point_into(q);\n  model_set(o, {struct.slots} + at, q);\n"
        )
    leaf = program.rng.choice([l for l in element.leaves() if l.kind == POINTER])
    return (
        head
        + leaf.declare_indexes()
        + (
            f"  int q = pick_target({leaf.rule}, objects[o].region);\n  {leaf.ctype} *v ="
            " point_into(q);\n"
            + store_lines(program, leaf, f"x->tail[at].{leaf.path}")
            + f"  model_set(o, {struct.slots} + at * {element.slots} + {leaf.slot()}, q);\n"
        )
    )


COPIES = (
    "  *x = *y;\n",
    "  memcpy(x, y, sizeof *x);\n",
    "  memmove(x, y, sizeof *y);\n",
    "  {type} local = *y;\n  *x = local;\n",
    "  {type} local = *y;\n  expose(&local);\n  *x = local;\n",
    "  {type} *volatile to = x;\n  *to = *y;\n",
    "  {type} locals[2];\n  locals[e % 2] = *y;\n  *x = locals[e % 2];\n",
    "  assign_{number}(x, *y);\n",
    "  *x = fetch_{number}(y);\n",
    "  *x = fetch_{number}(&(({type}[]){{*y}})[0]);\n",
    "  assign_{number}(x, fetch_{number}(y));\n",
    "  {type} vla[rnd(3) + 1];\n  expose(vla);\n  vla[0] = *y;\n  memcpy(x, vla, sizeof *x);\n",
    (
        "  void *bytes = malloc(sizeof *x);\n  memcpy(bytes, y, sizeof *x);\n  memcpy(x, bytes,"
        " sizeof *x);\n  free(bytes);\n"
    ),
    "  *(rnd(2) ? x : x) = (expose(0), *y);\n",
    "  *x = ({{ {type} inner = *y; inner; }});\n",
)


def on_stack_too(form, arguments):
    """What a form that copies by way of an exposed local needs besides."""
    is_exposed = "expose(&" in form or "expose(vla" in form or "[])" in form
    return f"  make_legal_on_stack({arguments});\n" if is_exposed else ""


@operation(8)
def copy_struct(program):
    struct = program.any_struct(flexible=False)
    form = program.rng.choice(COPIES).format(type=struct.name, number=struct.number)
    return (
        pick(struct)
        + pick(struct, "p", "d", "y")
        + f"  make_legal(p, d * {struct.slots}, {struct.slots}, o);\n"
        + on_stack_too(form, f"p, d * {struct.slots}, {struct.slots}")
        + form
        + f"  model_copy(o, e * {struct.slots}, p, d * {struct.slots}, {struct.slots});\n"
    )


@operation(3)
def copy_part(program):
    candidates = [
        (s, part) for s in program.structs for part in s.parts if not s.flexible and part[3]
    ]
    if not candidates:
        return copy_struct(program)
    struct, (path, dims, first, slots) = program.rng.choice(candidates)
    indexes = "".join(f"  int {variable} = rnd({bound});\n" for variable, bound, _ in dims)
    slot = " + ".join([str(first)] + [f"{variable} * {stride}" for variable, _, stride in dims])
    form = program.rng.choice(
        (
            "  x->{p} = y->{p};\n",
            "  memcpy(&x->{p}, &y->{p}, sizeof x->{p});\n",
            "  __typeof__(y->{p}) part = y->{p};\n  x->{p} = part;\n",
            (
                "  __typeof__(y->{p}) part = y->{p}, other = part;\n  expose(&part);\n  x->{p} ="
                " rnd(2) ? part : other;\n"
            ),
        )
    )
    return (
        pick(struct)
        + pick(struct, "p", "d", "y")
        + indexes
        + f"  make_legal(p, d * {struct.slots} + {slot}, {slots}, o);\n"
        + on_stack_too(form, f"p, d * {struct.slots} + {slot}, {slots}")
        + form.format(p=path)
        + f"  model_copy(o, e * {struct.slots} + {slot}, p, d * {struct.slots} + {slot},"
        f" {slots});\n"
    )


@operation(4)
def copy_elements(program):
    struct = program.any_struct(flexible=False)
    form = program.rng.choice(("memcpy", "memmove", "loop"))
    move = {
        "memcpy": (
            "  if (o != p)\n    memcpy(x, y, n * sizeof *x);\n  else\n    memmove(x, y, n * sizeof"
            " *x);\n"
        ),
        "memmove": "  memmove(x, y, n * sizeof *x);\n",
        "loop": (
            "  if (x < y)\n    for (int at = 0; at < n; at++)\n      x[at] = y[at];\n  else\n"
            "    for (int at = n; at-- > 0;)\n      x[at] = y[at];\n"
        ),
    }[form]
    return (
        pick(struct)
        + pick(struct, "p", "d", "y")
        + "  if (rnd(2)) {\n    p = o;\n    d = rnd(objects[p].elements);\n"
        f"    y = ({struct.name} *)reveal(p) + d;\n  }}\n"
        "  int left = objects[o].elements - e, right = objects[p].elements - d;\n"
        "  int n = rnd(1 + (left < right ? left : right));\n"
        f"  make_legal(p, d * {struct.slots}, n * {struct.slots}, o);\n"
        + move
        + f"  model_copy(o, e * {struct.slots}, p, d * {struct.slots}, n * {struct.slots});\n"
    )


@operation(3)
def clear(program):
    struct = program.any_struct(flexible=False)
    leaf = program.rng.choice([l for l in struct.leaves() if l.kind == POINTER])
    zero = program.rng.choice(
        (
            "  memset(x, 0, sizeof *x);\n",
            f"  *x = ({struct.name}){{0}};\n",
            "  __typeof__(*x) empty;\n  memset(&empty, 0, sizeof empty);\n  *x = empty;\n",
            "  memset(x, 0, (size_t)rnd(1) + sizeof *x);\n",
        )
    )
    first = leaf.expanded()[0]
    literal = (
        program.rng.random() < 0.4
        and "." not in first[0]
        and "[" not in first[0]
        and not leaf.overlaid
    )
    text = pick(struct)
    if literal:
        text += (
            f"  int q = pick_target({leaf.rule}, objects[o].region);\n"
            f"  *x = ({struct.name}){{.{first[0]} = point_into(q)}};\n"
        )
    else:
        text += zero
    text += (
        f"  for (int k = 0; k < {struct.slots}; k++)\n    model_set(o, e * {struct.slots} + k,"
        " NOTHING);\n"
    )
    return text + (f"  model_set(o, e * {struct.slots} + {first[1]}, q);\n" if literal else "")


@operation(7)
def allocate(program):
    struct = program.any_struct()
    room = (
        "  if (find_free_object() < 0)\n    return;\n  int r = pick_region(), n = 1 +"
        f" rnd(MAX_ELEMENTS);\n  while (n * {struct.slots} > MAX_SLOTS)\n    n--;\n"
    )
    if struct.flexible:
        tail = struct.flexible[0].slots if struct.flexible[0] else 1
        return (
            room
            + f"  size_t bytes = sizeof({struct.name}) + n * sizeof((({struct.name}"
            f" *)0)->tail[0]);\n  if ({struct.slots} + n * {tail} > MAX_SLOTS)\n    return;\n  if"
            f" (r < 0 || rnd(4) == 0)\n    add_object(IN_MALLOC, TRADITIONAL, {struct.number}, 1,"
            " n, bytes, calloc(1, bytes));\n  else\n    add_object(IN_REGION, r,"
            f" {struct.number}, 1, n, bytes,\n               acre_region_alloc(regions[r].handle,"
            f" bytes, _Alignof({struct.name}), ACRE_TYPE({struct.name})));\n"
        )
    return (
        room
        + f"  if (r < 0 || rnd(5) == 0)\n    add_object(IN_MALLOC, TRADITIONAL, {struct.number}, n,"
        f" 0, n * sizeof({struct.name}), calloc(n, sizeof({struct.name})));\n  else if (rnd(2))\n"
        f"    add_object(IN_REGION, r, {struct.number}, n, 0, n * sizeof({struct.name}),\n       "
        f"        rarrayalloc(regions[r].handle, n, {struct.name}));\n  else\n   "
        f" add_object(IN_REGION, r, {struct.number}, 1, 0, sizeof({struct.name}),\n              "
        f" ralloc(regions[r].handle, {struct.name}));\n"
    )


@operation(2)
def copy_into_new_array(program):
    struct = program.any_struct(flexible=False)
    return (
        pick(struct, "p", "d", "y")
        + "  int r = pick_region();\n  if (find_free_object() < 0 || r < 0)\n    return;\n"
        f"  int o = add_object(IN_REGION, r, {struct.number}, 1, 0, sizeof *y, 0);\n"
        f"  make_legal(p, d * {struct.slots}, {struct.slots}, o);\n"
        f"  {struct.name} *x = rarraycopy(regions[r].handle, y, 1, {struct.name});\n"
        "  objects[o].hidden = (uintptr_t)x ^ mask;\n"
        f"  model_copy(o, 0, p, d * {struct.slots}, {struct.slots});\n"
    )


@operation(2)
def release(program):
    release_with = program.rng.choice(
        (
            "free(reveal(o));",
            "void (*volatile give_back)(void *) = free;\n  give_back(reveal(o));",
            "free(realloc(reveal(o), objects[o].bytes + 100000));",
        )
    )
    return (
        f"  int o = pick_object(-1, IN_MALLOC);\n  if (o < 0)\n    return;\n  {release_with}\n "
        " drop_object(o);\n"
    )


@operation(2)
def resize(program):
    struct = program.any_struct(flexible=False)
    call = program.rng.choice(
        (
            f"realloc(reveal(o), n * sizeof({struct.name}))",
            f"reallocarray(reveal(o), n, sizeof({struct.name}))",
        )
    )
    return (
        f"  int o = pick_object({struct.number}, IN_MALLOC);\n  if (o < 0)\n    return;\n  int n ="
        f" 1 + rnd(MAX_ELEMENTS), had = objects[o].elements;\n  while (n * {struct.slots} >"
        f" MAX_SLOTS)\n    n--;\n  for (int k = n * {struct.slots}; k < had * {struct.slots};"
        f" k++)\n    model_set(o, k, NOTHING);\n  {struct.name} *x = {call};\n  if (n > had)\n   "
        " memset(x + had, 0, (n - had) * sizeof *x);\n  objects[o].elements = n;\n "
        " objects[o].bytes = n * sizeof *x;\n  objects[o].hidden = (uintptr_t)x ^ mask;\n"
    )


@operation(2)
def sort(program):
    candidates = [s for s in program.structs if s.key and not s.flexible]
    if not candidates:
        return copy_elements(program)
    struct = program.rng.choice(candidates)
    return (
        f"  int o = pick_object({struct.number}, -1);\n  if (o < 0)\n    return;\n  {struct.name}"
        " *x = reveal(o);\n  int n = objects[o].elements, from[MAX_ELEMENTS];\n  for (int at = 0;"
        " at < n; at++)\n    x[at].key = rnd(1000) * MAX_ELEMENTS + at;\n  for (int at = 0; at <"
        " n; at++) {\n    int place = 0;\n    for (int other = 0; other < n; other++)\n     "
        " place += x[other].key < x[at].key;\n    from[place] = at;\n  }\n  qsort(x, n, sizeof"
        f" *x, by_key_{struct.number});\n  int saved[MAX_SLOTS];\n  memcpy(saved,"
        f" objects[o].content, sizeof saved);\n  for (int k = 0; k < n * {struct.slots}; k++)\n   "
        f" model_set(o, k, saved[from[k / {struct.slots}] * {struct.slots} + k %"
        f" {struct.slots}]);\n"
    )


@operation(3)
def make_regions(program):
    return "  make_region(rnd(2) ? pick_region() : TRADITIONAL);\n"


def plain_type(program):
    """A struct with a plain pointer slot, that slot's leaf."""
    candidates = [
        (s, l) for s in program.structs for l in s.leaves() if l.rule == "PLAIN" and not s.flexible
    ]
    return program.rng.choice(candidates) if candidates else (None, None)


@operation(3)
def delete(program):
    call = program.rng.choice(
        (
            "deleteregion(regions[r].handle)",
            "delete_one(r)",
            "delete_indirectly(r)",
            "deleteregion_ptr(&(region){regions[r].handle})",
            "deleteregion_array(1, &(region){regions[r].handle})",
        )
    )
    return (
        "  int r = pick_region();\n  if (r < 0)\n    return;\n  bool expected = is_deletable(r);\n"
        f"  conclude_delete(1u << r, TRY_DELETE(expected, {call}), expected);\n"
    )


@operation(1)
def delete_set(program):
    return (
        "  unsigned set = (unsigned)next_random() & (unsigned)next_random() & (1u << MAX_REGIONS) -"
        " 1;\n  region handles[MAX_REGIONS];\n  size_t n = 0;\n  for (int r = 0; r < MAX_REGIONS;"
        " r++)\n    if (regions[r].live && (set >> r & 1))\n      handles[n++] ="
        " regions[r].handle;\n    else\n      set &= ~(1u << r);\n  bool expected ="
        " is_set_deletable(set);\n  if (n)\n    conclude_delete(set, TRY_DELETE(expected,"
        " deleteregion_array(n, handles)), expected);\n"
    )


HOLDERS = (  # a live holder of v, and its use afterwards
    ("void *live = v;", "live"),
    ("char *live = (char *)v + objects[o].bytes;", "live - objects[o].bytes"),
    ("void *live[4] = {0};\n  live[at] = v;", "live[at]"),
    ("struct { int pad; void *slots[3]; } live = {1, {v, v, v}};", "live.slots[at % 3]"),
    ("union { void *p; double d; } live = {.p = v};", "live.p"),
    ("void *live = v;\n  expose(&live);", "live"),
    (
        "void *live[at + 1];\n  expose(live);\n  for (int i = 0; i <= at; i++)\n    live[i] = v;",
        "live[at]",
    ),
    ("void **live = malloc(8 * sizeof *live);\n  live[at] = v;", "(v = live[at], free(live), v)"),
    ("uintptr_t live = (uintptr_t)v;", "(void *)live"),
)


@operation(4)
def delete_with_live_local(program):
    declare, use = program.rng.choice(HOLDERS)
    call = program.rng.choice(
        ("deleteregion(regions[r].handle)", "delete_one(r)", "delete_indirectly(r)")
    )
    return (
        "  int o = pick_object(-1, IN_REGION), at = rnd(4);\n  if (o < 0)\n    return;\n"
        "  int r = objects[o].region;\n  void *v = reveal(o);\n"
        f"  {declare}\n  v = 0;\n  bool deleted = TRY_DELETE(false, {call});\n"
        f'  if (deleted || {use} != reveal(o))\n    fail("a live local was not pinned");\n'
    )


@operation(2)
def delete_with_dead_local(program):
    declare, use = program.rng.choice(HOLDERS[:5])
    return (
        "  int o = pick_object(-1, IN_REGION), at = rnd(4);\n  if (o < 0)\n    return;\n"
        "  int r = objects[o].region;\n  void *v = reveal(o);\n"
        f'  {declare}\n  v = 0;\n  if ({use} != reveal(o))\n    fail("a local lost its value");\n'
        "  bool expected = is_deletable(r);\n"
        "  conclude_delete(1u << r, TRY_DELETE(expected, deleteregion(regions[r].handle)),"
        " expected);\n"
    )


@operation(2)
def jump(program):
    return (
        "  static jmp_buf out;\n  int o = pick_object(-1, IN_REGION), depth = rnd(5);\n  if (o <"
        " 0)\n    return;\n  void *live = reveal(o);\n  if (setjmp(out) == 0)\n   "
        " descend_and_jump(&out, o, depth);\n  bool deleted = TRY_DELETE(false,"
        ' delete_one(objects[o].region));\n  if (deleted || live != reveal(o))\n    fail("a local'
        ' live across setjmp was not pinned");\n'
    )


@operation(2)
def recurse(program):
    struct, leaf = plain_type(program)
    if not struct:
        return jump(program)
    return (
        pick(struct)
        + leaf.declare_indexes()
        + "  int q = pick_target(PLAIN, objects[o].region);\n"
        f"  make_legal_on_stack(o, e * {struct.slots}, {struct.slots});\n"
        f"  {struct.name} copy = *x;\n  copy.{leaf.path} = point_into(q);\n"
        f"  make_legal(o, e * {struct.slots}, {struct.slots}, o);\n"
        f"  carry_{struct.number}(x, copy, rnd(4));\n"
        f"  model_set(o, {model_slot(struct, leaf)}, q);\n"
    )


@operation(2)
def forbidden(program):
    candidates = [
        (s, l)
        for s in program.structs
        for l in s.leaves()
        if l.rule in ("SAMEREGION", "PARENTPTR", "TRADITIONAL_ONLY") and not s.flexible
    ]
    if not candidates:
        return store(program)
    struct, leaf = program.rng.choice(candidates)
    form = program.rng.choice(
        (
            "x->{p} = v",
            "{c} *{r}*s = &x->{p}; *s = v",
            "memcpy(&x->{p}, &v, sizeof v)",
            "{t} copy = *x; memcpy(&copy.{p}, &v, sizeof v); *x = copy",
            "{t} copy = *x; memcpy(&copy.{p}, &v, sizeof v); memcpy(x, &copy, sizeof copy)",
        )
    )
    text = form.format(p=leaf.path, c=leaf.ctype, r=rule_word(leaf), t=struct.name)
    return (
        "  if (rnd(50))\n    return;\n"
        + pick(struct)
        + "  if (objects[o].home != IN_REGION)\n    return;\n"
        + leaf.declare_indexes()
        + f"  int q = pick_forbidden({leaf.rule}, objects[o].region);\n"
        f"  if (q < 0)\n    return;\n  {leaf.ctype} *v = reveal(q);\n  (void)v;\n#ifdef __ACRE__\n"
        f'  if (!ABORTS({text}))\n    fail("a forbidden store went through");\n#endif\n'
    )
