"""Judges random functions with owners in places: all their paths at once.

A state says of every place what is there: null; live, an object that the function put there; any,
what somebody else put there, if anything; lent, the same after a call that may have changed it, of
which nothing is told; gone, what a variable had before it was consumed; unset; open, null in a
place that may be another one, or that a call has set since, for all that acre-cc knows; cleared,
null that a call has left, where acre-cc knows no more than that nothing is lost; None where there
is no such place now. Of a borrower it says what place it was borrowed from, if it is not LOST.
"""

from place_statements import STATEMENTS, WRONG
from places import BY_NAME, IN_BLOCKS, PLACES, Function, Place, guard_of

STATES_AT_MOST = 3000
BORROWERS = ("b", "d")
LOST = "lost"
OPEN = ("shared", "out")  # the kinds of places that anybody may change


class Wrong(Exception):
    """On some path a rule is broken."""


class Left(Exception):
    """The path goes elsewhere: the function is left, or a round of a loop."""


class Step:
    """One path through one statement: flip() asks which."""

    def __init__(self, model, now, answers):
        self.model, self.now, self.answers, self.asked = model, dict(now), answers, 0

    def bind(self, found):
        for key, each in found.items():
            setattr(self, key, each.name if isinstance(each, Place) else each)
        return self

    def flip(self):
        self.asked += 1
        if len(self.answers) < self.asked:
            self.answers += (False,)
        return self.answers[self.asked - 1]

    # -- What is there -----------------------------------------------------------------------------

    def use(self, name):
        if self.now[name] in ("gone", "unset"):
            raise Wrong

    def value(self, name):
        """What a place owns, with what the object there owns if it is an item of a variable."""
        self.use(name)
        inner = {place.name.split("->")[1]: self.now[place.name] for place in self.items(name)}
        if inner:
            return (self.now[name], inner)
        if self.is_known_null(name) or self.is_variable(name):
            return self.now[name]
        return "null" if self.flip() else "live"  # for all that acre-cc knows

    def is_known_null(self, name):
        """Whether that null is there is known to acre-cc, not only that nothing is lost."""
        is_followed = BY_NAME[name].kind in ("local", "heap") and "[" not in name
        return self.now[name] == "null" and (is_followed or self.is_variable(name))

    def is_known_there(self, name):
        return self.now[name] == "live" and self.is_variable(name)

    def items(self, name):
        return [place for place in PLACES if place.kind == "heap" and place.root == name]

    def below(self, name):
        return [place.name for place in self.items(name)]

    def pair(self, name):
        return [place.name for place in PLACES if place.pair == BY_NAME[name].pair]

    def is_variable(self, name):
        return BY_NAME[name].kind in ("variable", "cleaned")

    # -- Changes -----------------------------------------------------------------------------------

    def end_loans(self, test):
        for name in BORROWERS:
            loan = self.now[name]
            if loan not in (None, LOST) and test(loan):
                self.now[name] = LOST

    def change(self, name):
        """What was there is gone for its borrowers. What a caller gives for a result may be any
        place that everybody reaches."""
        kind = BY_NAME[name].kind

        def is_of_it(loan):
            of_other = BY_NAME[loan.split("/")[0]].kind
            may_be_it = kind in OPEN and of_other in OPEN and kind != of_other
            return loan == name or loan.startswith((name + "->", name + "/")) or may_be_it

        self.end_loans(is_of_it)

    def put(self, name, value):
        value, inner = value if isinstance(value, tuple) else (value, {})
        if BY_NAME[name].kind in OPEN and value != "null":
            for place in PLACES:
                is_alike = place.kind in OPEN and place.sort == BY_NAME[name].sort
                if is_alike and self.now[place.name] == "null":
                    self.now[place.name] = "open"
        self.now[name] = value
        for place in self.items(name):
            field = place.name.split("->", 1)[1]
            self.now[place.name] = inner.get(field, "any") if value == "live" else None

    def consume(self, name):
        self.use(name)
        self.put(name, "gone")
        self.change(name)

    def empty(self, name):
        self.use(name)
        self.put(name, "null")
        self.change(name)

    def lose(self):
        self.model.is_lossy = True
        self.model.blamed.add(id(self.model.at))

    def overwrite(self, name, beginning=()):
        """A place gets another value without a look at what was there. Fields of an object of the
        function's own are taken to be as its maker left them."""
        kind, before = BY_NAME[name].kind, self.now[name]
        if before == "live" and not (kind == "shared" and kind in beginning):
            self.lose()
        elif before == "any" and kind != "heap" and kind not in beginning:
            self.lose()
        elif before == "open":
            self.model.may_warn = self.model.is_forgetful = True
        elif before in ("live", "any", "lent"):
            self.model.may_warn |= before == "lent"
            self.model.is_forgetful = True
        if not self.is_variable(name):  # what a variable loses is still there
            self.change(name)

    def set(self, name, value):
        self.overwrite(name)
        self.put(name, value)

    store = set

    def made(self, sort):
        self.call()
        return "null" if self.flip() else "live"

    def fresh(self):
        fields = {name.split("->")[1]: "null" for name in self.below(self.n)}
        return "null" if self.flip() else ("live", fields)

    def free_alone(self, name):
        if any(self.now[place] in ("live", "any") for place in self.below(name)):
            self.lose()
        elif any(self.now[place] == "lent" for place in self.below(name)):
            self.model.is_forgetful = True
        self.consume(name)

    # -- Calls -------------------------------------------------------------------------------------

    def call(self):
        """A function that is not seen may change what everybody reaches. What was null is taken for
        null when something is put there."""
        self.end_loans(lambda loan: BY_NAME[loan.split("/")[0]].kind in OPEN)
        for place in PLACES:
            if place.kind == "shared":
                is_null = self.now[place.name] in ("null", "open")
                is_lent = self.now[place.name] == "lent"
                self.now[place.name] = "open" if is_null else "lent" if is_lent else "any"

    def call_back(self):
        if self.callback != "compare_steady":
            self.call()

    def end_object(self, sort):
        if sort == "item":
            self.call()

    def look(self, name):
        self.use(name)
        if BY_NAME[name].kind in OPEN:
            raise Wrong  # who is called may free it meanwhile
        if BY_NAME[name].sort == "item":
            for place in self.below(name):
                self.now[place] = "lent"
            # Of a borrower acre-cc knows the slot that it hangs on, and not how far below that.
            is_slot = not self.is_variable(name)
            self.end_loans(
                lambda loan: loan.startswith((name + "->", name + "/"))
                or (is_slot and loan == name)
            )
        self.call()

    def refill(self, name):
        self.use(name)
        self.change(name)
        self.lend_to_change(name)
        value = self.made(BY_NAME[name].sort)
        self.put(name, value if self.is_variable(name) else "lent")

    def lend_to_change(self, *names):
        """What a callee is lent has no pointers back: it changes that alone, and may empty it."""
        for name in names:
            if BY_NAME[name].kind == "lent" and self.now[name] == "any":
                self.now[name] = "lent"

    def clear_by_call(self, name):
        self.lend_to_change(name)
        self.empty(name)
        if BY_NAME[name].kind in ("local", "heap"):
            self.now[name] = "cleared"

    def look_pair(self):
        for name in self.pair(self.P):
            self.use(name)
            self.change(name)  # const is no promise about what hangs there
        self.lend_to_change(*self.pair(self.P))
        self.call()

    def change_pair(self):
        # A structure that is lent before it is set is begun with zeros by acre-cc, and plain Clang
        # runs these programs: such a function is not judged.
        if any(self.now[name] == "unset" for name in self.pair(self.P)):
            raise OverflowError
        for name in self.pair(self.P):
            self.use(name)
            self.change(name)
        self.lend_to_change(*self.pair(self.P))
        self.call()
        for name in self.pair(self.P):
            self.now[name] = "lent"

    # -- Borrowers ---------------------------------------------------------------------------------

    def borrow(self, name):
        self.use(name)
        self.now["b" if self.sort == "text" else "d"] = name

    def use_borrower(self, name):
        if self.now[name] == LOST:
            raise Wrong

    def deepen(self):
        self.use_borrower("d")
        # acre-cc takes what hangs on nothing that is followed for shared.
        self.model.is_doubtful |= self.now["d"] is None
        self.now["b"] = self.now["d"] and self.now["d"] + "/name"

    # -- Ways out ----------------------------------------------------------------------------------

    def end_of_scope(self, scope):
        for place in PLACES:
            if place.root != scope or place.kind not in ("variable", "cleaned", "local"):
                continue
            name = place.name
            if place.kind == "cleaned":
                self.use(name)
                self.call()
            elif self.now[name] == "lent":
                self.model.is_forgetful = True
            elif self.now[name] == "live" or (self.now[name] == "any" and place.kind == "local"):
                self.model.lose_at_end(scope, name)
            self.change(name)
            self.put(name, None)

    def leave(self, is_certain=False):
        if is_certain or self.flip():
            for scope in [*reversed(self.model.scopes), *self.model.outer]:
                self.end_of_scope(scope)
            raise Left

    def leave_with_pair(self):
        if self.flip():
            for name in self.pair(self.P):
                self.empty(name)
            self.leave(True)

    def jump(self, how):
        depth, ways = self.model.loops[-1]
        for scope in reversed(self.model.scopes[depth:]):
            self.end_of_scope(scope)
        ways[how].add(tuple(self.now.values()))
        raise Left


class Model:
    """is_wrong: on some path a rule is broken. is_lossy: an owner is lost on some path, and
    is_forgetful: one of which nothing is told. is_doubtful, may_warn: acre-cc may be careful."""

    is_dynamic = False

    def __init__(self, function):
        self.function = function
        self.is_wrong = self.is_lossy = self.is_forgetful = False
        self.is_doubtful = self.may_warn = False
        self.scopes, self.loops = [], []
        self.fetched = {}  # by statement: whether the variable was consumed, on any path
        # For repairs: the statement that runs, those at which something is wrong or lost, and what
        # is lost at the ends of which blocks.
        self.at, self.blamed, self.lost = None, set(), set()
        # The variables that every function has, and those of its other places.
        others = [root for root in ("p", "row", "c") if root in function.roots]
        self.outer = ["t0", "t1", "n0", "n1", *others]
        self.names = [place.name for place in PLACES] + list(BORROWERS)

    def judge(self):
        start = {name: None for name in self.names}
        for place in PLACES:
            if place.kind in ("lent", "shared"):
                start[place.name] = "any"
            elif place.kind == "out" or (place.kind == "local" and place.root in self.outer):
                start[place.name] = "null"
        states = {tuple(start.values())}
        for name in ("t0", "t1", "n0", "n1"):
            states = self.each(lambda step: step.put(name, step.made(BY_NAME[name].sort)), states)
        states = self.run(self.function.body, states)
        self.at = ("end",)
        self.end = id(self.at)
        self.each(lambda step: step.leave(True), states)
        return self

    def lose_at_end(self, scope, name):
        self.is_lossy = True
        ends_here = self.at[0] == scope or (self.at[0] == "end" and scope not in IN_BLOCKS)
        if ends_here:
            self.lost.add((id(self.at), name))
        else:
            self.blamed.add(id(self.at))

    def each(self, effect, states):
        return {after for state in states for after in self.outcomes(effect, state)}

    def outcomes(self, effect, state):
        open_paths = [()]
        while open_paths:
            answers = open_paths.pop()
            step = Step(self, zip(self.names, state), answers)
            try:
                effect(step)
                yield tuple(step.now[name] for name in self.names)
            except Wrong:
                self.is_wrong = True
                self.blamed.add(id(self.at))
            except Left:
                pass
            for index in range(len(answers), step.asked):
                open_paths.append((*step.answers[:index], True))

    def run(self, body, states):
        for statement in body:
            kind, *rest = self.at = statement
            if kind in STATEMENTS:
                states = self.each(lambda step: self.execute(step, kind, rest[0]), states)
            else:
                states = getattr(self, "run_" + kind)(kind, *rest, states)
                self.at = statement
            if len(states) > STATES_AT_MOST:
                raise OverflowError
        return states

    @staticmethod
    def execute(step, kind, found):
        owner = guard_of(found)
        if owner:
            step.use(owner)
            if step.now[owner] == "null":
                return
        if STATEMENTS[kind].effect is WRONG or (kind == "return_pair" and not is_whole(found["P"])):
            raise Wrong
        STATEMENTS[kind].effect(step.bind(found))

    def run_if(self, _, parts, states):
        return self.run(parts[0], states) | self.run(parts[1], states)

    def run_until(self, _, parts, states):
        """The second part goes on; the first ends with a return."""
        self.each(lambda step: step.leave(True), self.run(parts[1], states))
        return self.run(parts[0], states)

    def run_test(self, _, parts, name, states):
        def narrow(is_there):
            def effect(step):
                step.use(name)
                if step.is_known_null(name) if is_there else step.is_known_there(name):
                    if self.loops and not step.is_variable(name):
                        self.function.is_relational = self.may_warn = True
                    raise Left
                if not is_there:
                    step.put(name, "null")
                elif step.now[name] == "open":
                    step.put(name, "any")

            return effect

        return self.run(parts[0], self.each(narrow(True), states)) | self.run(
            parts[1], self.each(narrow(False), states)
        )

    def run_fetch(self, _, parts, name, states):
        """A variable that is consumed on every path may be given for the result: where the call
        fails it is as it was."""
        seen = self.fetched.setdefault(id(self.at), set())

        def fetch(value):
            def effect(step):
                is_gone = step.is_variable(name) and step.now[name] == "gone"
                if step.now[name] != "null":
                    seen.add(is_gone)
                if len(seen) == 2:
                    raise Wrong
                if not is_gone:
                    step.use(name)
                    step.overwrite(name)
                step.call()
                if value == "live" or not is_gone:
                    step.put(name, value)

            return effect

        return self.run(parts[0], self.each(fetch("live"), states)) | self.run(
            parts[1], self.each(fetch("null"), states)
        )

    def run_x(self, kind, parts, start, states):
        states = self.each(lambda step: self.execute(step, *start), states)
        self.scopes.append(kind)
        block = self.at
        states = self.run(parts[0], states)
        self.at = block
        self.scopes.pop()
        return self.each(lambda step: step.end_of_scope(kind), states)

    run_k = run_x

    def run_while(self, kind, parts, states):
        heads, new, ends = set(states), set(states), set()
        ways = {"break": set(), "continue": set()}
        while new:
            self.loops.append((len(self.scopes), ways))
            out = self.run(parts[0], new) | ways["continue"]
            self.loops.pop()
            ends |= out
            new = out - heads
            heads |= out
        return (heads if kind == "while" else ends) | ways["break"]

    run_do = run_while


def is_whole(place):
    """Whether the structure of two is a variable, which a return may give away."""
    return place.pair in ("p", "x")


def without(body, blamed, lost):
    """The body without what is blamed, and with drops where something is lost at the end."""
    kept = []
    for statement in body:
        kind, *rest = statement
        if id(statement) in blamed:
            continue
        if kind not in STATEMENTS:
            parts = [without(part, blamed, lost) for part in rest[0]]
            drops = drops_of(lost, id(statement))
            statement = (kind, [parts[0] + drops, *parts[1:]], *rest[1:])
        kept.append(statement)
    return kept


def drops_of(lost, end):
    """Drops of what is lost at an end, in the same order for the same seed."""
    return [drop_of(name) for name in sorted(name for place, name in lost if place == end)]


def drop_of(name):
    place = BY_NAME[name]
    kind, key = ("drop", "v") if place.kind == "variable" else ("drop_slot", "s")
    return (kind, {"sort": place.sort, key: place})


def judged_function(rng):
    """A function and its judgement. Most random functions are wrong in many ways, so most are
    repaired first, and half of those are changed at one place then."""
    function = Function(rng)
    model = Model(function).judge()
    if rng.random() < 0.2:
        return function, model
    for _ in range(8):
        if not model.blamed and not model.lost:
            break
        function.body = without(function.body, model.blamed, model.lost)
        function.body += drops_of(model.lost, model.end)
        model = Model(function).judge()
    if rng.random() < 0.6:
        function.change()
        model = Model(function).judge()
    return function, model
