"""The loops of bases.py: C functions with a loop each, in which addresses may be regrouped."""

ELEMENTS = (
    ("long", "{}"),
    ("word", "{}"),
    ("int", "(word)(unsigned){}"),
    ("short", "(word)(unsigned short){}"),
    ("char", "(word)(unsigned char){}"),
    ("record", "(word){}.number"),
    ("record", "(word)(unsigned){}.half"),
    ("record", "(word)(unsigned char){}.letter"),
)
COUNTS = (3, 8, 16, 31, 64, 100, 200)
LOWEST = (0, 1, 7, 1000, 1 << 16, 1 << 20, 1 << 24, 100000000, 1 << 31, 1 << 33)
PARAMETERS = "long low, long n, long bias, long low2, long part, long part2"
ARGUMENTS = "low, n, bias, low2, part, part2"


class Loop:
    """One function: what it walks over, in which order, by which expressions."""

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.element, self.reading = rng.choice(ELEMENTS)
        self.count = rng.choice(COUNTS)
        self.low = rng.choice(LOWEST) * rng.choice((1, 1, -1))
        self.helpers = []

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, share):
        return self.rng.random() < share

    def tick(self, share):
        ways = ("tick();", "tick();", "if (s & 1) tick();", "garbage = malloc(24); tick();")
        return self.pick(*ways) if self.chance(share) else ""

    def read(self, place):
        return self.reading.format(f"({place})")

    def bias(self):
        """An expression that is -low: an argument, a constant, in parts, or of another type."""
        return self.pick(
            "bias",
            "bias",
            "bias",
            f"({-self.low}L)",
            "(bias + part - part2)",
            "(long)(0 - (word)low)",
        )

    def index(self, at="i"):
        """An expression for a number below n, in terms of at, which is one."""
        at = self.pick(at, at, at, f"(n - 1 - {at})", f"({at} * 7919 % n)", f"({at} ^ (n & 0))")
        key = self.pick(
            f"({at} + low)",
            f"({at} + low)",
            f"opaque({at} + low)",
            f"(low + {at})",
            f"(long)((word){at} + (word)low)",
        )
        bias = self.bias()
        return self.pick(
            f"{key} + {bias}",
            f"{bias} + {key}",
            f"(word){key} + (word){bias}",
            f"({key} - low2) + ({bias} + low2)",
            at,
        )

    def value(self, array, index):
        """Reads array[index] in one of the ways that C has."""
        e, at = self.element, f"{array}[{index}]"
        return self.read(
            self.pick(
                at,
                at,
                at,
                f"*({array} + ({index}))",
                f"({array} + low2)[({index}) - low2]",
                f"*({e} *)((uintptr_t){array} + sizeof({e}) * ({index}))",
                f"*(const volatile {e} *)&{at}",
                f"*({e} *)((char *){array} + (long)sizeof({e}) * (long)({index}))",
            )
        )

    def update(self, array, index):
        """A statement that reads, or writes and reads."""
        e, at = self.element, f"{array}[{index}]"
        if e != "record" and self.chance(0.2):
            return self.pick(
                f"{at} += 3; {self.tick(0.5)} s += {self.value(array, index)};",
                f"{at}++; s ^= (word){at};",
                f"{{ {e} old = {at}; {self.tick(0.5)} {at} = ({e})(old + 1); s += (word)old; }}",
            )
        value = self.value(array, index)
        return self.pick(
            f"s += {value};",
            f"s += {value};",
            f"s = s * 3 + {value};",
            f"if ({value} & 4) s += 5; else s ^= 9;",
            f"{{ {e} *d = &{at}; {self.tick(0.5)} s += {self.read('*d')}; }}",
            f"s += read_bytes(&{at}, sizeof({e}));",
            f"s += read_all(2, sizeof({e}), &{at}, &{array}[{self.index()}]);",
            f"{{ {e} copy; memcpy(&copy, &{at}, sizeof copy); {self.tick(0.5)} "
            f"s += {self.read('copy')}; }}",
        )

    def over(self, body, count="n", i="i"):
        """A loop in which i takes each number below count once."""
        upward = f"for (long {i} = 0; {i} < {count}; {i}++) {{ {body} }}"
        return self.pick(
            upward,
            upward,
            f"for (long {i} = {count} - 1; {i} >= 0; {i}--) {{ {body} }}",
            f"{{ long {i} = 0; do {{ {body} }} while (++{i} < {count}); }}",
            f"for (long {i} = 0;; {i}++) {{ if ({i} == {count}) break; {body} }}",
            f"for (long k_ = low; k_ < low + {count}; k_++) {{ long {i} = k_ - low; {body} }}",
            f"{{ long {i} = 0; again_{i}: {body} if (++{i} < {count}) goto again_{i}; }}",
            f"for (int {i}_ = 0; {i}_ < (int){count}; {i}_++) {{ long {i} = {i}_; {body} }}",
            f"for (unsigned {i}_ = 0; {i}_ < (unsigned){count}; {i}_++) "
            f"{{ long {i} = {i}_; {body} }}",
        )

    def boxed(self, *names):
        arrays = "".join(f"{self.element} *{name} = x->{name};" for name in names)
        return f"box *x = object; {arrays} {self.pick('x = NULL;', '')}"

    # -- Kinds of loops: each returns a body that alone has t, or what object refers to --

    def biased(self):
        more = self.update("t", self.index()) if self.chance(0.4) else ""
        body = self.update("t", self.index())
        return self.over(f"{self.tick(0.7)} {body} {self.tick(0.2)} {more}")

    def nested(self):
        body = self.update("t", self.index("(i * 7 + j) % n"))
        inner = self.over(body, self.pick("n", "4", "m"), "j")
        return self.over(f"{self.tick(0.9)} {inner} {self.tick(0.2)}")

    def two_dimensions(self):
        width = self.pick(*(width for width in (1, 2, 3, 4, 5, 8, 12) if width <= self.count))
        row = f"(i + low) + {self.bias()}"
        column = f"(j + low2) - {self.pick('low2', 'low2', '(low2 + part) + part2')}"
        grid, place = "", f"t[({row}) * {self.pick(width, 'width')} + ({column})]"
        if self.chance(0.4):
            grid, place = f"{self.element} (*g)[{width}] = (void *)t;", f"g[{row}][{column}]"
        inner = self.over(f"{self.tick(0.3)} s = s * 3 + {self.read(place)};", str(width), "j")
        return f"long width = opaque({width}); {grid} (void)width;" + self.over(
            f"{self.tick(0.8)} {inner}", str(self.count // width)
        )

    def from_one(self):
        body = f"{self.tick(0.8)} s += {self.read('p[i + 1]')};"
        return f"{self.element} *p = t - 1;" + self.over(body)

    def walking(self):
        e, step, shift = self.element, self.pick(1, 1, 2, 3), self.pick("low2", "(low2 + part)")
        place = self.pick(
            "*p",
            f"p[{shift} - {shift}]",
            f"(p + {shift})[-{shift}]",
            "t[p - t]",
            f"t[(p - t) + low + {self.bias()}]",
        )
        body = f"{self.tick(0.8)} s = s * 5 + {self.read(place)};"
        end = f"t + n / {step} * {step}"
        if self.chance(0.5):
            return f"for ({e} *p = t, *e = {end}; p != e; p += {step}) {{ {body} }}"
        return f"{{ {e} *p = {end}; while (p > t) {{ p -= {step}; {body} }} }}"

    def together(self):
        """Several arrays by one counter: an optimizer may go from one to the other by distance."""
        e, at, tick = self.element, self.index(), self.tick(0.8)
        way = self.pick(0, 1, 2)
        if way == 0:
            body = f"{tick} {self.update('a', at)} {self.update('b', at)}"
            return self.boxed("a", "b") + self.over(body)
        if way == 1:
            values = f"{self.value('a', at)} ^ {self.value('c', self.index())}"
            body = f"{tick} a[{at}] = b[{at}]; {self.tick(0.3)} s += {values};"
            return self.boxed("a", "b", "c") + self.over(body)
        return self.boxed("a", "b") + (
            f"for ({e} *p = a, *q = b; p < a + n; p++, q++) "
            f"{{ {tick} s += {self.read('*p')} * 3 + {self.read('*q')}; }}"
        )

    def members(self):
        """Arrays that are members of a record that is read each time."""
        array = f"{self.element} *a = x->{self.pick('a', 'b', 'c')};"
        body = f"{array} {self.tick(0.3)} {self.update('a', self.index())}"
        return "box *x = object;" + self.over(f"{self.tick(0.8)} {{ {body} }}")

    def chain(self):
        """Another array in each turn."""
        e, array = self.element, self.pick("a", "b", "(i & 1 ? a : b)")
        inner = self.over(f"{self.tick(0.6)} {self.update(array, self.index())}", "(n < 9 ? n : 9)")
        return (
            f"for (box *x = object; x; x = x->next) {{ {e} *a = x->a, *b = x->b; "
            f"{self.tick(0.5)} {inner} }}"
        )

    def chosen(self):
        array = self.pick("(i & 2 ? a : b)", "(low & 1 ? a : b)", "(opaque(i) % 3 ? a : b)", "p")
        body = self.update(array, self.index())
        if array == "p" and self.chance(0.3):
            step = f"p = {self.pick('a', 'b')} + (i % 3);"
            body = f"{step} s += {self.read('p[(low + 0) - low]')};"
        elif array == "p":
            body = f"if (opaque(i) % 5 == 2) p = p == a ? b : a; {body}"
        start = f"{self.boxed('a', 'b')} {self.element} *p = a; (void)p;"
        return start + self.over(f"{self.tick(0.8)} {body}")

    def switched(self):
        cases = "".join(
            f"case {number}: {self.tick(0.4)} {self.update('t', self.index())} break;"
            for number in range(self.pick(3, 5, 9))
        )
        which = f"{self.pick('i', 'opaque(i)')} % {self.pick(5, 7, 10)}"
        return self.over(f"{self.tick(0.5)} switch ({which}) {{ {cases} default: s += 1; }}")

    def recursive(self):
        name = f"{self.name}_deeper"
        deeper, value = f"{name}(t, i - 1, {ARGUMENTS}, s)", self.value("t", self.index())
        way = self.pick(
            f"s += {value}; return {deeper};",
            f"{self.tick(1)} word deep = {deeper}; return deep + {value};",
        )
        self.helpers.append(
            f"static NOINLINE word {name}({self.element} *t, long i, {PARAMETERS}, word s) {{\n"
            f"  if (i < 0) return s;\n  {self.tick(0.8)}\n  {way}\n}}\n"
        )
        return f"s = {name}(t, n - 1, {ARGUMENTS}, s);"

    def gathered(self):
        """Indices from another array: what vectors are good for."""
        index = self.pick("i", "n - 1 - i", "i * 7919 % n")
        place = self.pick("t[where[i]]", f"t[where[i] + low + {self.bias()}]")
        inner = self.over(f"s += {self.read(place)};")
        return (
            "int *where = malloc(n * sizeof *where + 8);"
            f"for (long i = 0; i < n; i++) where[i] = (int)({index});"
            f"for (long round = 0; round < 3; round++) {{ {self.tick(1)} {inner} }}"
        )

    def parted(self):
        """A pointer into the middle, from a function of its own."""
        e, name = self.element, f"{self.name}_middle"
        self.helpers.append(
            f"static {self.pick('NOINLINE', 'inline')} {e} *{name}({e} *t, long key, long bias) "
            f"{{ {self.pick('', 'tick();')} return &t[key + bias]; }}\n"
        )
        return self.over(
            f"{{ {e} *d = {name}(t, i + low, {self.bias()}); {self.tick(0.9)} "
            f"s += {self.read('*d')}; }}"
        )

    def crowded(self):
        """More values than registers."""
        names = [f"v{number}" for number in range(self.pick(6, 10, 14))]
        begin = "".join(f"long {name} = opaque({number});" for number, name in enumerate(names))
        change = "".join(f"{a} += {b} ^ 3;" for a, b in zip(names, names[1:] + names[:1]))
        body = f"{self.update('t', self.index())} {self.update('t', self.index())}"
        end = "s += " + " ^ ".join(f"(word){name}" for name in names) + ";"
        return begin + self.over(f"{self.tick(0.8)} {change} {body}") + end

    def left_early(self):
        stop = self.pick(
            "if (s == 12345) return s;",
            "if (s % 1021 == 7) break;",
            "if (i > 5 && s % 3 == 0) continue;",
        )
        first, second = self.update("t", self.index()), self.update("t", self.index())
        return f"for (long i = 0; i < n; i++) {{ {self.tick(0.8)} {first} {stop} {second} }}"

    def rebased(self):
        """By the distance from another array, as after a resize."""
        e = self.element
        return self.boxed("a", "b") + (
            f"for ({e} *p = a; p < a + n; p++) {{ {self.tick(0.8)} {e} *q = b + (p - a); "
            f"{self.tick(0.2)} s += {self.read('*q')}; }}"
        )

    def counted_down(self):
        body = f"{self.tick(0.8)} s += {self.read('end[k + bias]')}; {self.tick(0.2)}"
        return f"{self.element} *end = t + n;" f"for (long k = low - n; k < low; k++) {{ {body} }}"

    KINDS = (
        "biased",
        "biased",
        "biased",
        "nested",
        "nested",
        "two_dimensions",
        "two_dimensions",
        "from_one",
        "walking",
        "walking",
        "together",
        "together",
        "members",
        "chain",
        "chosen",
        "chosen",
        "switched",
        "recursive",
        "gathered",
        "parted",
        "crowded",
        "left_early",
        "rebased",
        "counted_down",
    )
    UNUSED = "".join(
        f"  (void){name};\n" for name in ("m", "bias", "low2", "part", "part2", "rounds")
    )

    def text(self):
        kind = self.pick(*self.KINDS)
        body = getattr(self, kind)()
        has_boxes = "object" in body
        size = f"{self.count} * sizeof({self.element}), {self.rng.randrange(1000)}"
        array = "" if has_boxes else f"{self.element} *t = object;"
        if "goto" not in body and self.chance(0.5):
            body = f"for (long round_ = 0; round_ < rounds; round_++) {{ {body} }}"
        far = self.pick(0, 5, 1 << 22, 1 << 30)
        return (
            f"{''.join(self.helpers)}/* {kind} */\n"
            f"static NOINLINE word {self.name}(void *object, {PARAMETERS}, long rounds) {{\n"
            f"  word s = 1;\n  long m = n < 5 ? n : 5;\n{self.UNUSED}  {array}\n  {body}\n"
            f"  return s;\n}}\n"
            f"static NOINLINE word run_{self.name}(long rounds) {{\n"
            f"  long low2 = opaque({far}), part = opaque(77);\n"
            f"  made m = {'make_boxes' if has_boxes else 'make'}({size});\n"
            f"  return {self.name}(m.object, {self.low}L, {self.count}, {-self.low}L, low2, part, "
            f"77, rounds);\n}}\n"
        )
