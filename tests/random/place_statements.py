"""The statements of random functions with owners in places: what C each is, and what it does to a
state of the model.

The operands: v and w are variables and s and z slots, all of the same sort; t is a variable of text
and n one of an item; P and R are places of text in a structure of two, and stand for that; b is the
borrower of the sort. An effect is given a place_model.Step, which has the operands as attributes.
"""

import collections

Statement = collections.namedtuple("Statement", "text needs effect weight")


def WRONG(_):
    """The effect of what no function may do, whatever the state is."""


def statement(text, needs, effect, weight=2):
    return Statement(text, needs.split(), effect, weight)


def listed(step, first, second, beginning=()):
    """A structure gets the values of a list. In structures of others, of these kinds, that is taken
    for their beginning, without a warning of what was there."""
    for place, value in zip(step.pair(step.P), (first, second)):
        step.overwrite(place, beginning)
        step.now[place] = value


def given(step, place):
    """The value of a variable, which it loses."""
    value = step.value(place)
    step.consume(place)
    return value


def taken(step, place):
    """The value of a slot, where null stays."""
    value = step.value(place)
    step.empty(place)
    return value


def each_of_pair(action):
    """Does the same to both places of a structure."""

    def effect(step):
        for place in step.pair(step.P):
            getattr(step, action)(place)

    return effect


def begin(*values):
    def effect(step):
        for place, value in zip(("x.first", "x.second"), values):
            step.now[place] = value

    return effect


def do_all(*effects):
    def effect(step):
        for each in effects:
            each(step)

    return effect


def swap(step, place, value):
    """Puts a value where another is, which is returned."""
    old = step.value(place)
    step.empty(place)
    step.put(place, value)
    return old


def regrow(step):
    """Where there is no memory the text is lost, which acre-cc says if that is tested."""
    was_null = taken(step, step.s) == "null"
    has_failed = not step.flip()
    step.model.may_warn |= has_failed and not was_null
    step.store(step.s, "null" if has_failed else "live")


def swap_in(step):
    step.use(step.s)
    swap(step, step.s, given(step, step.v))
    step.end_object(step.sort)


def swap_out(step):
    step.use(step.s)
    value = given(step, step.w)
    step.set(step.v, swap(step, step.s, value))


def exchange(step):
    step.use(step.z)
    value = taken(step, step.s)
    old = swap(step, step.z, value)
    step.store(step.s, old)


def drop(step, place):
    step.consume(place) if step.is_variable(place) else taken(step, place)
    step.end_object(step.sort)


def renew(step):
    """A whole item is set from a list."""
    step.use(step.n)
    if step.now[step.n] == "null":
        return
    value = given(step, step.t)
    for place in step.below(step.n):
        step.overwrite(place)
        step.now[place] = "null"
    step.now[step.n + "->name"] = value


STATEMENTS = {
    # Variables.
    "make": statement("{v} = {make};", "v", lambda s: s.set(s.v, s.made(s.sort)), 6),
    "fresh": statement(
        "{n} = calloc(1, sizeof *{n});", "item n", lambda s: s.set(s.n, s.fresh()), 3
    ),
    "drop": statement("{drop}({v});", "v", lambda s: drop(s, s.v), 6),
    "move": statement("{v} = {w};", "v w", lambda s: s.set(s.v, given(s, s.w)), 4),
    "null": statement("{v} = NULL;", "v", lambda s: s.set(s.v, "null")),
    "look": statement("look_{sort}({v});", "v", lambda s: s.look(s.v)),
    "give": statement("give_{sort}({v});", "v", lambda s: (s.call(), s.consume(s.v)), 3),
    "refill": statement("refill_{sort}(&{v});", "v", lambda s: s.refill(s.v)),
    "by_hand": statement("give_{sort}(TAKE({v}));", "v", lambda s: (taken(s, s.v), s.call())),
    "free_alone": statement("free({n});", "item n", lambda s: s.free_alone(s.n), 3),
    "close": statement("close_item({n});", "item n", lambda s: s.consume(s.n)),
    # Slots.
    "store": statement("{s} = {v};", "s v", lambda s: s.store(s.s, given(s, s.v)), 6),
    "store_made": statement("{s} = {make};", "s", lambda s: s.store(s.s, s.made(s.sort)), 4),
    "take": statement("{v} = acre_take(&{s});", "s v", lambda s: s.set(s.v, taken(s, s.s)), 6),
    "drop_slot": statement("{drop}(acre_take(&{s}));", "s", lambda s: drop(s, s.s), 6),
    "swap_in": statement("{drop}(acre_swap(&{s}, {v}));", "s v", swap_in, 4),
    "swap_out": statement("{v} = acre_swap(&{s}, {w});", "s v w", swap_out),
    "clear": statement("{s} = NULL;", "s", lambda s: s.store(s.s, "null")),
    "shift": statement("{s} = acre_take(&{z});", "s z", lambda s: s.store(s.s, taken(s, s.z)), 3),
    "exchange": statement("{s} = acre_swap(&{z}, acre_take(&{s}));", "s z", exchange),
    "slot_by_hand": statement("give_{sort}(TAKE({s}));", "s", lambda s: (taken(s, s.s), s.call())),
    "regrow": statement(
        "{s} = realloc(acre_take(&{s}), 16);",
        "text s",
        regrow,
    ),
    "refill_slot": statement("refill_{sort}(&{s});", "s", lambda s: s.refill(s.s)),
    "lend": statement("look_{sort}({s});", "s", lambda s: s.look(s.s)),
    "copy": statement("{v} = {s};", "s v", WRONG, 1),
    "drop_copy": statement("{drop}({s});", "s", WRONG, 1),
    # Borrowers.
    "borrow": statement("{b} = {v};", "v", lambda s: s.borrow(s.v), 3),
    "borrow_slot": statement("{b} = {s};", "s", lambda s: s.borrow(s.s), 6),
    "peek_text": statement("if (b) sum += *b;", "text", lambda s: s.use_borrower("b"), 6),
    "peek_item": statement("if (d) sum += d->value;", "item", lambda s: s.use_borrower("d"), 3),
    "deepen": statement("b = d ? d->name : NULL;", "item", lambda s: s.deepen(), 1),
    # Structures of two.
    "pair_made": statement(
        "{P} = make_pair();", "text P", lambda s: (s.call(), listed(s, "live", "live"))
    ),
    "pair_zero": statement(
        "{P} = (struct pair){{0}};", "text P", lambda s: listed(s, "null", "null")
    ),
    "pair_given": statement(
        "{P} = (struct pair){{{t}, NULL, 0}};",
        "text P t",
        lambda s: listed(s, given(s, s.t), "null"),
    ),
    "pair_listed": statement(
        "{P} = (struct pair){{.second = {t}, .first = acre_take(&{s})}};",
        "text P t s",
        lambda s: listed(s, *reversed((given(s, s.t), taken(s, s.s)))),
    ),
    "pair_cleared": statement("clear_pair(&{P});", "text P", each_of_pair("clear_by_call")),
    "pair_looked": statement("look_pair(&{P});", "text P", lambda s: s.look_pair()),
    "pair_changed": statement("change_pair(&{P});", "text P", lambda s: s.change_pair()),
    "pair_begun": statement(
        "init_pair(&{P});",
        "text P",
        lambda s: (s.call(), listed(s, "live", "live", ("lent", "shared"))),
    ),
    "pair_erased": statement(
        "memset(&{P}, 0, sizeof {P});",
        "text P",
        lambda s: listed(s, "null", "null"),
        1,
    ),
    "pair_copied": statement("{P} = {R};", "text P R", WRONG, 1),
    "pair_given_away": statement("give_pair({P});", "text P", WRONG, 1),
    "pair_memcpy": statement(
        "memcpy(&{P}, &{R}, sizeof {P});", "text P R", WRONG, 1
    ),
    "literal_given": statement(
        "give_pair((struct pair){{{t}, NULL, 0}});",
        "text t",
        lambda s: (s.consume(s.t), s.call()),
        1,
    ),
    "literal_lent": statement(
        "look_pair(&(struct pair){{{t}, NULL, 0}});",
        "text t",
        lambda s: (given(s, s.t) == "live" and s.lose(), s.call()),
        1,
    ),
    "result_dropped": statement("make_pair();", "text", lambda s: (s.call(), s.lose()), 1),
    "item_renewed": statement("if ({n}) *{n} = (struct item){{.name = {t}}};", "text n t", renew),
    # Results.
    "return": statement("if (choose()) return (struct pair){{0}};", "text", lambda s: s.leave()),
    "return_pair": statement(
        "if (choose()) return {P};", "text P", lambda s: s.leave_with_pair(), 3
    ),
    "return_listed": statement(
        "if (choose()) return (struct pair){{{t}, acre_take(&{s}), 0}};",
        "text t s",
        lambda s: s.flip() and (given(s, s.t), taken(s, s.s), s.leave(True)),
    ),
    "return_by_hand": statement(
        "if (choose()) return (struct pair){{TAKE({t}), NULL, 0}};",
        "text t",
        lambda s: s.flip() and (taken(s, s.t), s.leave(True)),
    ),
    "break": statement("if (choose()) break;", "", lambda s: s.flip() and s.jump("break")),
    "continue": statement("if (choose()) continue;", "", lambda s: s.flip() and s.jump("continue")),
    # Callbacks. One frees what a global variable owns, one nothing; one is not seen.
    "sort": statement(
        "qsort(numbers, 4, sizeof *numbers, {callback});", "", lambda s: s.call_back(), 3
    ),
    "search": statement(
        "sum += bsearch(numbers, numbers, 4, sizeof *numbers, {callback}) != NULL;",
        "",
        lambda s: s.call_back(),
    ),
    "hook": statement("hook();", "", lambda s: s.call()),
    "run": statement("call_back({callback});", "", lambda s: s.call()),
    "visit": statement("visit(&{P}, hooked);", "text P", lambda s: s.change_pair()),
    # How the variable of a block begins.
    "x_unset": statement("struct pair x;", "", begin("unset", "unset"), 0),
    "x_zero": statement("struct pair x = {{0}};", "", begin("null", "null"), 0),
    "x_made": statement(
        "struct pair x = make_pair();", "", do_all(lambda s: s.call(), begin("live", "live")), 0
    ),
    "x_listed": statement(
        "struct pair x = {{.second = {t}}};",
        "text t",
        lambda s: begin("null", given(s, s.t))(s),
        0,
    ),
    "x_moved": statement(
        "struct pair x = {{acre_take(&{s}), NULL, 0}};",
        "text s",
        lambda s: begin(taken(s, s.s), "null")(s),
        0,
    ),
    "k_made": statement(
        "__attribute__((cleanup(end_text))) char *unique k = make_text();",
        "text",
        lambda s: s.now.update(k=s.made("text")),
        0,
    ),
}

# Functions that are not seen, but one that is steady, one that frees, and the ends of structures.
DECLARATIONS = """\
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>
struct pair { char *unique first, *unique second; int kind; };
struct item { int value; char *unique name; struct pair inside; struct item *unique next; };
struct crate { struct pair inner; char *unique shelf[3]; struct item *unique top; };
extern unsigned choices[64], position;
extern int sum, numbers[4];
extern char *unique title;
extern struct item *unique front;
extern struct pair spare;
extern void (*hook)(void);
#define choose() (position < 4096 ? choices[position++ & 63] & 1 : 0)
#define TAKE(p) \\
  ({ __typeof__(p) *slot_ = &(p); __typeof__(p) value_ = *slot_; *slot_ = NULL; value_; })
char *unique make_text(void);
struct item *unique make_item(void);
struct pair make_pair(void);
int get_text(char *unique *acre_out borrowed slot);
int get_item(struct item *unique *acre_out borrowed slot);
void look_text(const char *borrowed p);
void look_item(struct item *borrowed p);
void look_pair(const struct pair *borrowed p);
void give_text(char *unique p);
void give_item(struct item *unique p);
void give_pair(struct pair p);
void drop_item(struct item *unique p);
void refill_text(char *unique *borrowed slot);
void refill_item(struct item *unique *borrowed slot);
void change_pair(struct pair *borrowed p);
void init_pair(struct pair *acre_out borrowed p);
void hooked(struct pair *borrowed p);
void end_text(char *unique *slot);
int compare(const void *a, const void *b);
static void clear_pair(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static void close_item(struct item *unique p) {
  while (p) {
    struct item *unique next = acre_take(&p->next);
    free(acre_take(&p->name));
    clear_pair(&p->inside);
    free(p);
    p = next;
  }
}
static int compare_steady(const void *a, const void *b) { return *(int *)a - *(int *)b; }
static int compare_frees(const void *a, const void *b) {
  free(acre_take(&title));
  return *(int *)a - *(int *)b;
}
static void call_back(int (*how)(const void *a, const void *b)) { sum += how(&sum, &sum); }
static void visit(struct pair *borrowed p, void (*how)(struct pair *borrowed p)) { how(p); }
""".splitlines()

DEFINITIONS = """\
unsigned choices[64], position;
int sum, numbers[4] = {3, 1, 2, 0};
char *unique title;
struct item *unique front;
struct pair spare;
static void free_globals(void) {
  free(acre_take(&title));
  close_item(acre_take(&front));
  clear_pair(&spare);
}
void (*hook)(void) = free_globals;
char *unique make_text(void) { return calloc(1, 16); }
struct pair make_pair(void) { return (struct pair){make_text(), make_text(), 0}; }
struct item *unique make_item(void) {
  struct item *unique p = calloc(1, sizeof *p);
  if (p) {
    p->name = make_text();
    p->inside = make_pair();
    p->next = calloc(1, sizeof *p);
  }
  return p;
}
int get_text(char *unique *acre_out borrowed slot) {
  if (choose()) return -1;
  *slot = make_text();
  return 0;
}
int get_item(struct item *unique *acre_out borrowed slot) {
  if (choose()) return -1;
  *slot = make_item();
  return 0;
}
void look_text(const char *borrowed p) { sum += p ? *p : 0; }
void look_pair(const struct pair *borrowed p) { look_text(p->first), look_text(p->second); }
void change_pair(struct pair *borrowed p) {
  look_pair(p);
  clear_pair(p);
  p->second = make_text();
}
void look_item(struct item *borrowed p) {
  if (!p) return;
  look_text(p->name);
  change_pair(&p->inside);
}
void give_text(char *unique p) { free_globals(), free(p); }
void give_item(struct item *unique p) { free_globals(), close_item(p); }
void drop_item(struct item *unique p) { close_item(p); }
void give_pair(struct pair p) { clear_pair(&p); }
void refill_text(char *unique *borrowed slot) { free(acre_swap(slot, make_text())); }
void refill_item(struct item *unique *borrowed slot) { close_item(acre_swap(slot, make_item())); }
void init_pair(struct pair *acre_out borrowed p) { *p = make_pair(); }
void hooked(struct pair *borrowed p) { change_pair(p); }
void end_text(char *unique *slot) { free(acre_take(slot)); }
int compare(const void *a, const void *b) { return compare_frees(a, b); }
typedef struct pair any_function(struct crate *borrowed, char *unique *acre_out);
static void run(any_function *function, unsigned seed) {
  for (int i = 0; i < 64; i++)
    choices[i] = (seed = seed * 1103515245 + 12345) >> 16;
  position = 0;
  struct crate crate = {0};
  char *unique out = NULL;
  crate.inner = make_pair(), crate.shelf[0] = make_text(), crate.top = make_item();
  title = make_text(), front = make_item(), spare = make_pair();
  struct pair result = function(&crate, &out);
  clear_pair(&result), clear_pair(&crate.inner), free(out), close_item(acre_take(&crate.top));
  for (int i = 0; i < 3; i++) free(acre_take(&crate.shelf[i]));
  free_globals();
}
""".splitlines()
