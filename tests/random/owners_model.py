"""Judges random functions with owners: all their paths at once.

A state says of every owner whether it is null, live or consumed; of every borrower what it points
to - None, nothing that is followed; ("direct", root) the object of an owner or memory of an arena;
("deep", root) what hangs below that; ("frame", variable); LOST, what is gone; ENDED, a variable
whose block has ended - and of the global variable which local variable's address it has, and
whether nothing in between may have set it. What is lent for a block is a root of its own, ("lent",
name, owner), like an arena's.
"""

from owners import BORROWERS, SORTS, Function, sort_of

STATES_AT_MOST = 4000
LOST, ENDED, SHARED = "lost", "ended", "shared"
# What hangs on a borrower that points to nothing that is followed: the analysis takes it for
# shared, or overlooks it where the borrower points to something else on another path.
NOWHERE, DOUBTFUL = "nowhere", "doubtful"


class Wrong(Exception):
    """On some path something consumed is used."""


def is_arena(root):
    return isinstance(root, tuple) and root[0] != "lent"


def lends_in(body):
    """The names of all aliases of a body."""
    for kind, *rest in body:
        if isinstance(rest[0], list):
            if kind == "lend":
                yield rest[1]
            for part in rest[0]:
                yield from lends_in(part)


def variables_in(body, *kinds):
    """The names of the variables that blocks of these kinds declare."""
    for kind, *rest in body:
        if isinstance(rest[0], list):
            if kind in kinds:
                yield rest[1]
            for part in rest[0]:
                yield from variables_in(part, *kinds)


def is_loan(value):
    return isinstance(value, tuple) and value[0] in ("direct", "deep")


class Model:
    """is_wrong: on some path a rule is broken for certain. is_doubtful: a rule is broken on some
    path that the analysis may miss, or may seem to be. is_dynamic: whether the running program
    decides about a pointer into an arena. is_lossy: an owner may be lost."""

    may_warn = False

    def __init__(self, function):
        self.function = function
        # Those with a cleanup are out while their block does not run, and so are structures.
        self.owners = function.owners + sorted(set(variables_in(function.body, "clean")))
        self.records = sorted(set(variables_in(function.body, "record")))
        # The member that is written of the structure beside each alias.
        self.held = list(lends_in(function.body))
        self.is_wrong = self.is_lossy = self.is_doubtful = self.is_dynamic = self.is_forgetful = (
            False
        )
        self.scopes, self.loops = [], []
        self.points = {}  # what was seen in all states that reach a place

    def judge(self):
        owners = ["out" if owner[-1] == "c" else "null" for owner in self.owners]
        start = (
            *owners,
            *[None] * len(BORROWERS),
            *[None] * len(self.held),
            *["out"] * len(self.records),
            (None, False),
        )
        self.leave(self.run(self.function.body, {start}))
        for (rule, *_), seen in self.points.items():
            getattr(self, "decide_" + rule)(seen)
        return self

    def note(self, *place_and_value):
        self.points.setdefault(place_and_value[:-1], set()).add(place_and_value[-1])

    # -- What the states at a place say together ---------------------------------------------------

    def decide_frame(self, seen):
        """At each, True where the local variable has ended or is left behind for certain, None
        where it might be."""
        if seen == {True}:
            self.is_wrong = True
        elif seen - {False}:
            self.is_doubtful = True

    def decide_store(self, seen):
        """Pairs of the arena that is stored to, if it is one, and that which is stored."""
        holders = {holder for holder, _ in seen}
        known = {holder for holder in holders if holder}
        for arena in {stored for _, stored in seen if stored}:
            if len(known) == 1 and self.outlives(next(iter(known)), arena):
                if len(holders) == 1:
                    self.is_wrong = True
                else:
                    self.is_doubtful = True
            self.is_dynamic |= holders != {arena}

    @staticmethod
    def outlives(holder, arena):
        return holder[1] != arena[1] and (holder[2] or holder[0] < arena[0])

    # -- Ways through the body ---------------------------------------------------------------------

    def leave(self, states):
        self.is_lossy |= any("live" in state[: len(self.owners)] for state in states)

    def end_scopes(self, states, depth, at):
        for scope in reversed(self.scopes[depth:]):
            states = self.end_all(scope, states, at)
        return states

    def end_all(self, scope, states, at):
        if scope[0] not in ("clean", "record"):
            return {self.end(scope, state, at) for state in states}
        states = self.each(("end_" + scope[0], scope[1], None, None, None, scope[1]), states)
        return {self.put(state, scope[1], "out") for state in states}

    def names(self):
        return [*self.owners, *BORROWERS, *self.held, *self.records, "global"]

    def put(self, state, name, value):
        at = self.names().index(name)
        return (*state[:at], value, *state[at + 1 :])

    def end(self, scope, state, at):
        """The block of a local variable or an arena ends."""
        now = list(state)
        what = ("frame", scope[1]) if scope[0] == "frame" else ("direct", scope)
        for index in range(len(self.owners), len(state) - 1):
            if scope[0] == "frame":
                now[index] = ENDED if state[index] == what else state[index]
            elif is_loan(state[index]) and state[index][1] == scope:
                now[index] = LOST
        left, is_known = state[-1]
        if scope[0] == "frame":
            self.note(
                "frame", at, scope[1], (True if is_known else None) if left == scope[1] else False
            )
            if left == scope[1]:
                now[-1] = (None, False)
        return tuple(now)

    def run(self, body, states):
        for statement in body:
            kind, *rest = statement
            if isinstance(rest[0], list):
                states = getattr(self, "run_" + kind)(statement, states)
            elif kind in ("break", "continue"):
                depth, ways = self.loops[-1]
                ways[kind] |= self.end_scopes(states, depth, id(statement))
            elif kind in ("return", "return_borrower"):
                if kind == "return_borrower":
                    states = self.each(statement, states)
                self.leave(self.end_scopes(states, 0, id(statement)))
            elif kind == "length":
                after = self.each(("give", *rest), states)
                states = states | after | self.each(("look", rest[1], *rest[1:]), after)
            elif kind == "choice":
                states = self.each(("give", *rest), states) | self.each(
                    ("give", rest[1], *rest[1:]), states
                )
            elif kind == "swap_through":
                states = states | self.each(statement, states)
            elif kind in ("fill", "take"):
                states = self.each(statement, self.ensure(rest[0], states))
            else:
                states = self.each(statement, states)
            if len(states) > STATES_AT_MOST:
                raise OverflowError
        return states

    def ensure(self, owner, states):
        made = self.each(("new", owner, None, None, None, None), states)
        return self.each(("filled", owner, None, None, None, None), states) | made

    def run_if(self, statement, states):
        return self.run(statement[1][0], states) | self.run(statement[1][1], states)

    def run_switch(self, statement, states):
        first, second, third = statement[1]
        return self.run(second, states | self.run(first, states)) | self.run(third, states)

    def run_loop(self, statement, states):
        heads, new = set(states), set(states)
        ways = {"break": set(), "continue": set()}
        ends = set()
        while new:
            self.loops.append((len(self.scopes), ways))
            out = self.run(statement[1][0], new) | ways["continue"]
            self.loops.pop()
            ends |= out
            new = out - heads
            heads |= out
        return (heads if statement[0] == "while" else ends) | ways["break"]

    run_while = run_do = run_loop

    def run_scope(self, statement, states):
        kind, blocks, name, *key = statement
        if kind == "open":
            states = self.ensure(key[0], states)
        # Its place among the blocks, its name, and the key if it has one.
        scope = ("frame", name) if kind == "frame" else (len(self.scopes), name, key[0])
        self.scopes.append(scope)
        states = self.run(blocks[0], states)
        self.scopes.pop()
        return {self.end(scope, state, id(statement)) for state in states}

    run_frame = run_open = run_scope

    def run_lend(self, statement, states):
        _, blocks, name, owner = statement
        scope, place = ("lent", name, owner), len(self.owners) + len(BORROWERS) + self.held.index(
            name
        )

        def hold(state, value):
            return (*state[:place], value, *state[place + 1 :])

        self.scopes.append(scope)
        states = {
            hold(state, ("direct", scope))
            for state in self.each(("begin", owner, *[None] * 4), states)
        }
        states = self.run(blocks[0], states)
        self.scopes.pop()
        return {hold(self.end(scope, state, id(statement)), None) for state in states}

    def run_clean(self, statement, states):
        kind, blocks, name, begins_whole = statement
        if kind == "record":
            states = {
                self.put(state, name, "null" if begins_whole else "unset") for state in states
            }
        else:
            states = {self.put(state, name, "null") for state in states}
            if begins_whole:
                states = self.each(("begin_clean", name, *[None] * 4), states)
        self.scopes.append((kind, name))
        states = self.run(blocks[0], states)
        return self.end_all(self.scopes.pop(), states, id(statement))

    run_record = run_clean

    # -- Single statements -------------------------------------------------------------------------

    def each(self, statement, states):
        return {after for state in states if (after := self.step(statement, state)) is not None}

    def step(self, statement, state):
        now = dict(zip(self.names(), state))
        try:
            Step(self, statement, now).do()
        except Wrong:
            self.is_wrong = True
            return None
        return tuple(now.values())


class Step:
    """What one statement does to one state."""

    def __init__(self, model, statement, now):
        self.model, self.at, self.now = model, id(statement), now
        self.kind, self.one, self.two, self.first, self.second, self.extra = statement
        self.sort = SORTS[sort_of(self.one)]

    def do(self):
        getattr(self, "do_" + self.kind)()

    def use(self, name):
        value = self.now[name]
        if name in BORROWERS:
            self.model.note("frame", self.at, name, value == ENDED)
            if value == ENDED:
                self.now[name] = None
        if value == DOUBTFUL:
            self.model.is_doubtful = True
            self.now[name] = None
        if value in ("consumed", LOST):
            raise Wrong

    def lose(self, is_lost):
        for name in BORROWERS:
            if is_loan(self.now[name]) and is_lost(self.now[name], name):
                self.now[name] = DOUBTFUL if self.now[name][1] == NOWHERE else LOST

    def is_open(self, root):
        """Whether anybody may take what hangs there."""
        if isinstance(root, tuple):
            return is_arena(root) or self.is_open(root[2])
        return root in (SHARED, NOWHERE) or SORTS[sort_of(root)].word == "refcounted"

    def change(self, root, but=None):
        """What hangs below a root may be taken."""
        self.keep_lent(root)
        roots = (root, root[2]) if isinstance(root, tuple) and not is_arena(root) else (root,)
        self.lose(
            lambda loan, name: loan[0] == "deep"
            and name != but
            and (loan[1] in roots or (self.is_open(root) and self.is_open(loan[1])))
        )

    def keep_lent(self, owner):
        """Who lends an object for a block is not changed meanwhile."""
        if any(scope[0] == "lent" and scope[2] == owner for scope in self.model.scopes):
            raise Wrong

    def call(self):
        """Of a function that may do anything to what is not owned here."""
        self.change(SHARED)
        self.now["global"] = (self.now["global"][0], False)

    def consume(self, name):
        self.use(name)
        self.now[name] = "consumed"
        self.gone(name)

    def gone(self, name):
        self.lose(lambda loan, _: loan[1] == name)
        if any(len(scope) == 3 and scope[2] == name for scope in self.model.scopes):
            raise Wrong  # the arena of this key is open

    def assign(self, name, value):
        self.keep_lent(name)
        self.model.is_lossy |= self.now[name] == "live"
        self.now[name] = value

    def do_new(self):
        self.use_if_ensured()
        if self.sort.is_make_call:
            self.call()
        self.assign(self.one, "live")

    def use_if_ensured(self):
        if self.two is None:
            self.use(self.one)
            self.now[self.one] = "null"

    def do_filled(self):
        self.use(self.one)
        self.now[self.one] = "live"

    def do_drop(self):
        if self.sort.is_drop_call:
            self.call()
        self.consume(self.one)

    def do_give(self):
        self.call()
        self.consume(self.one)

    def do_put(self):
        self.consume(self.one)
        self.change(SHARED)
        if self.sort.is_drop_call:
            self.call()

    def do_get(self):
        self.change(SHARED)
        self.assign(self.one, "live")

    def do_begin_clean(self):
        if self.sort.is_make_call:
            self.call()
        self.now[self.one] = "live"

    def do_end_clean(self):
        self.use(self.one)
        self.gone(self.one)
        self.call()

    def do_end_record(self):
        self.need_set()
        self.call()

    def need_set(self):
        """The owner in a structure is used."""
        if self.now[self.extra] == "unset":
            raise Wrong

    def do_set_null(self):
        self.model.is_forgetful |= self.now[self.extra] == "live"
        self.now[self.extra] = "null"

    def do_record_put(self):
        value = "null" if self.now[self.one] == "null" else "live"
        self.consume(self.one)
        self.need_set()
        self.now[self.extra] = value
        if self.sort.is_drop_call:
            self.call()

    def do_record_get(self):
        self.need_set()
        value = "null" if self.now[self.extra] == "null" else "live"
        self.now[self.extra] = "null"
        self.assign(self.one, value)

    def do_refill(self):
        self.use(self.one)
        self.gone(self.one)
        self.call()
        self.now[self.one] = "live"

    def do_take_by_hand(self):
        self.use(self.one)
        self.now[self.one] = "null"
        self.gone(self.one)
        self.call()

    def do_sort(self):
        self.call()

    def do_look(self):
        self.use(self.one)
        if self.sort.has_slots:
            self.change(self.one)
        self.call()

    def do_look_both(self):
        self.use(self.one)
        self.use(self.two)
        if self.sort.word == "refcounted":
            raise Wrong  # they may be one object
        self.change(self.one)
        self.change(self.two)
        self.call()

    def do_peek(self):
        self.use(self.first)

    def do_look_borrower(self):
        self.use(self.first)
        value = self.now[self.first]
        if is_loan(value):
            self.model.is_doubtful |= value[1] == NOWHERE
            if (
                value[1] != NOWHERE
                and self.is_open(value[1])
                and not (value[0] == "direct" and is_arena(value[1]))
            ):
                # Who is called may take it meanwhile, or is given a reference and relies on being
                # alone
                raise Wrong
            self.change(value[1], self.first)
        self.call()

    def do_move(self):
        value = self.now[self.two]
        self.consume(self.two)
        self.assign(self.one, value)

    def do_null(self):
        self.assign(self.one, "null")

    def do_exchange(self):
        self.use(self.two)
        taken = self.now[self.two]
        self.now[self.two] = "null"
        self.gone(self.two)
        self.assign(self.one, taken)

    def do_clear(self):
        self.now[self.first] = None

    def do_point(self):
        self.now[self.first] = ("frame", self.extra)

    def do_allocate(self):
        arena = next(scope for scope in self.model.scopes if scope[1] == self.extra)
        self.now[self.first] = ("direct", arena)

    def do_borrow(self):
        self.use(self.one)
        self.now[self.first] = ("direct", self.one)

    def do_deep(self):
        self.use(self.one)
        self.now[self.first] = ("deep", self.one)

    def do_deep_shared(self):
        self.now[self.first] = ("deep", SHARED)

    def do_deepen(self):
        self.use(self.second)
        value = self.now[self.second]
        self.now[self.first] = ("deep", value[1] if is_loan(value) else NOWHERE)

    def keep(self, name):
        """Its value is stored where it may outlive what it points to, if that is an owner's."""
        self.use(name)
        value = self.now[name]
        if is_loan(value) and not is_arena(value[1]):
            raise Wrong
        return value

    def do_keep(self):
        value = self.keep(self.first)
        if is_loan(value):
            raise Wrong
        self.now["global"] = (value[1], True) if value else (None, False)

    def do_return_borrower(self):
        value = self.keep(self.first)
        if is_loan(value):
            raise Wrong
        self.model.note("frame", self.at, "result", bool(value))

    def do_store(self):
        self.use(self.first)
        stored, holder = self.keep(self.second), self.now[self.first]
        self.now["global"] = (self.now["global"][0], False)
        arenas = [
            value[1] if is_loan(value) and is_arena(value[1]) else None
            for value in (holder, stored)
        ]
        self.model.note("store", self.at, tuple(arenas))

    def do_begin(self):
        self.use(self.one)

    def lent(self):
        return next(scope for scope in self.model.scopes if scope[:2] == ("lent", self.extra))

    def do_copy(self):
        self.now[self.first] = ("direct", self.lent())

    def do_share(self):
        """Stores a borrower in the structure beside an alias."""
        self.use(self.first)
        value, scopes = self.now[self.first], self.model.scopes
        self.now["global"] = (self.now["global"][0], False)
        if is_loan(value) and is_arena(value[1]):
            self.model.is_doubtful = True
        elif is_loan(value):
            is_kept = isinstance(value[1], tuple) and scopes.index(value[1]) <= scopes.index(
                self.lent()
            )
            if not is_kept or value[0] == "deep":
                raise Wrong
        self.now[self.extra] = value

    def do_unshare(self):
        value = self.now[self.extra]
        self.model.is_doubtful |= value == ENDED
        self.now[self.first] = None if value == ENDED else value

    def do_fill(self):
        self.use(self.one)
        self.consume(self.two)
        self.change(self.one)

    def do_take(self):
        self.use(self.one)
        self.change(self.one)
        self.assign(self.two, "live")

    def do_swap_through(self):
        self.use(self.first)
        value = self.now[self.first]
        self.consume(self.two)
        self.use(self.first)
        self.model.is_doubtful |= is_loan(value) and value[1] == NOWHERE
        self.change(value[1] if is_loan(value) else SHARED, self.first)

    def do_alias(self):
        self.use(self.two)
        self.assign(self.one, "live")

    def do_plant(self):
        """An object of an arena owns one that goes with it."""
        self.call()

    def do_expire(self):
        self.use(self.one)
        self.change(self.one)
        self.call()
        self.consume(self.one)
        self.call()

    def do_weaken(self):
        self.use(self.one)
        self.assign(self.two, "live")

    def do_upgrade(self):
        self.use(self.two)
        self.assign(self.one, "live")


def judged_function(rng):
    function = Function(rng)
    return function, Model(function).judge()
