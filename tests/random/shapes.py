"""Random C types: structs of data, pointers under every rule, arrays, nested structs, unions and
flexible members.

A type knows its slots.  A leaf is a way to write one down: an expression with index variables, and
the number of the slot that it reaches.
"""

POINTER, NUMBER = "pointer", "number"
RULES = {
    "": "PLAIN",
    "sameregion ": "SAMEREGION",
    "parentptr ": "PARENTPTR",
    "traditional ": "TRADITIONAL_ONLY",
}
DATA = ("char", "short", "int", "long", "double", "float", "_Bool")
INDEXES = "ijkmnabcdfgh"


class Leaf:
    """path is an expression such as "a[i].u.p"; dims are (variable, bound, slots between
    elements)."""

    def __init__(self, path, dims, first, rule, kind, ctype, overlaid=False):
        self.path, self.dims, self.first, self.rule = path, dims, first, rule
        self.kind, self.ctype, self.overlaid = kind, ctype, overlaid

    def slot(self):
        return " + ".join(
            [str(self.first)] + [f"{variable} * {stride}" for variable, _, stride in self.dims]
        )

    def declare_indexes(self):
        return "".join(f"  int {variable} = rnd({bound});\n" for variable, bound, _ in self.dims)

    def expanded(self):
        """Each (path, slot) with numbers in the place of the index variables."""
        results = [(self.path, self.first)]
        for variable, bound, stride in self.dims:
            results = [
                (path.replace(f"[{variable}]", f"[{i}]"), slot + i * stride)
                for path, slot in results
                for i in range(bound)
            ]
        return results


class Struct:
    def __init__(self, number):
        self.number, self.name = number, f"struct t{number}"
        self.fields = []  # (declaration, builder of leaves, slots)
        self.slots = 0
        self.key = False  # has a member "key" to sort by
        self.flexible = None  # (element struct or None for pointers, rule, ctype)
        self.packed_data = 0
        self.parts = []  # (path, dims, first slot, slots, C type) of assignable aggregates

    def leaves(self, prefix="", dims=(), base=0, depth=0):
        found, at = [], base
        for _, build, slots in self.fields:
            found += build(prefix, dims, at, depth)
            at += slots
        return found

    def definition(self):
        body = "".join(f"  {declaration};\n" for declaration, _, _ in self.fields)
        if self.flexible:
            element, rule, ctype = self.flexible
            body += f"  {element.name} tail[];\n" if element else f"  {ctype} *{rule}tail[];\n"
        return f"{self.name} {{\n{body}}};\n"


def pointer_field(name, ctype, rule, length):
    def build(prefix, dims, base, depth):
        if not length:
            return [Leaf(prefix + name, dims, base, RULES[rule], POINTER, ctype)]
        index = INDEXES[depth]
        return [
            Leaf(
                f"{prefix}{name}[{index}]",
                dims + ((index, length, 1),),
                base,
                RULES[rule],
                POINTER,
                ctype,
            )
        ]

    return f"{ctype} *{rule}{name}" + (f"[{length}]" if length else ""), build, length or 1


def struct_field(name, struct, length):
    def build(prefix, dims, base, depth):
        if not length:
            return struct.leaves(f"{prefix}{name}.", dims, base, depth)
        index = INDEXES[depth]
        return struct.leaves(
            f"{prefix}{name}[{index}].", dims + ((index, length, struct.slots),), base, depth + 1
        )

    return (
        f"{struct.name} {name}" + (f"[{length}]" if length else ""),
        build,
        struct.slots * (length or 1),
    )


def union_field(name, ctype, anonymous):
    """One pointer, or two, overlaid with numbers."""

    def build(prefix, dims, base, depth):
        inside = prefix if anonymous else f"{prefix}{name}."

        def leaf(path, slot, kind, written):
            return Leaf(inside + path, dims, base + slot, "UNION", kind, written, True)

        return [
            leaf(f"{name}p", 0, POINTER, ctype),
            leaf(f"{name}pair.first", 0, POINTER, "void"),
            leaf(f"{name}pair.second", 1, POINTER, ctype),
            leaf(f"{name}d[0]", 0, NUMBER, "1.5"),
            leaf(f"{name}d[1]", 1, NUMBER, "2.5"),
            leaf(f"{name}l", 0, NUMBER, "12345"),
            leaf(f"{name}bytes[15]", 1, NUMBER, "'x'"),
            leaf(f"{name}half.high", 0, NUMBER, "7"),
        ]

    members = (
        f"{ctype} *{name}p; double {name}d[2]; long {name}l; char {name}bytes[16]; struct {{ void"
        f" *first; {ctype} *second; }} {name}pair; struct {{ int low, high; }} {name}half;"
    )
    return f"union {{ {members} }}" + ("" if anonymous else f" {name}"), build, 2


def data_field(name, rng):
    ctype = rng.choice(DATA)
    if ctype == "int" and rng.random() < 0.5:
        return f"int {name} : {rng.randint(1, 31)}", lambda *_: [], 0
    return (
        f"{ctype} {name}" + (f"[{rng.randint(1, 5)}]" if rng.random() < 0.3 else ""),
        lambda *_: [],
        0,
    )


def random_struct(number, earlier, rng, limit=24):
    """A struct of at least one and at most limit slots; earlier are the structs that it may
    contain."""
    struct = Struct(number)
    pointers = ["void", "char", "const char", "long", struct.name] + [s.name for s in earlier]
    if rng.random() < 0.6:
        struct.key = True
        struct.fields.append(("long key", lambda *_: [], 0))
    for position in range(rng.randint(1, 6)):
        name = f"f{position}"
        kind = rng.choice(
            ("pointer", "pointer", "pointer", "array", "struct", "struct array", "union", "data")
        )
        rule = rng.choice(("", "", "", "sameregion ", "parentptr ", "traditional "))
        inner = [s for s in earlier if not s.flexible]
        if kind == "pointer":
            field = pointer_field(name, rng.choice(pointers), rule, 0)
        elif kind == "array":
            field = pointer_field(name, rng.choice(pointers), rule, rng.randint(1, 5))
        elif kind.startswith("struct") and inner:
            chosen = rng.choice(inner)
            length = rng.randint(1, 3) if kind == "struct array" else 0
            field = struct_field(name, chosen, length)
            if struct.slots + field[2] <= limit:
                dims = (("i", length, chosen.slots),) if length else ()
                struct.parts.append(
                    (f"{name}[i]" if length else name, dims, struct.slots, chosen.slots)
                )
        elif kind == "union":
            anonymous = rng.random() < 0.4
            field = union_field(name, rng.choice(pointers), anonymous)
            if not anonymous and struct.slots + 2 <= limit:
                struct.parts.append((name, (), struct.slots, 2))
        else:
            field = data_field(name, rng)
        if struct.slots + field[2] <= limit:
            struct.fields.append(field)
            struct.slots += field[2]
    if not struct.slots:
        struct.fields.append(pointer_field("only", "void", "", 0))
        struct.slots = 1
    if rng.random() < 0.25:
        simple = [s for s in earlier if not s.flexible and s.slots <= 6]
        element = rng.choice(simple) if simple and rng.random() < 0.5 else None
        struct.flexible = (element, rng.choice(("", "", "sameregion ")), rng.choice(pointers))
    return struct
