/* SPDX-License-Identifier: MIT */
/* objects.c - primitives for all objects: what they are, sameness, records, promises, time. */
#include <string.h>
#include <time.h>

#include "primitives.h"

#define PREDICATE(name, condition)                                                    \
  static struct object *name(struct machine *m, struct object *sameregion *arguments, \
                             unsigned count) {                                        \
    (void)count;                                                                      \
    const struct object *o = arguments[0];                                            \
    return make_boolean(m, condition);                                                \
  }
PREDICATE(is_it_boolean, is_kind(o, KIND_TRUE) || is_kind(o, KIND_FALSE))
PREDICATE(is_it_procedure, is_procedure(o))
PREDICATE(is_it_symbol, is_symbol(o))
PREDICATE(is_it_eof, is_kind(o, KIND_EOF))
PREDICATE(is_it_condition, is_kind(o, KIND_CONDITION))
PREDICATE(is_it_promise, is_kind(o, KIND_PROMISE))
PREDICATE(is_it_record, is_kind(o, KIND_RECORD))
PREDICATE(is_not, is_kind(o, KIND_FALSE))
#undef PREDICATE

/* Numbers and characters are the same if they are equal: they have no identity. */
static struct object *eqv(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  (void)count;
  return make_boolean(m, is_eqv(arguments[0], arguments[1]));
}

static struct object *equal(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  (void)count;
  return make_boolean(m, is_equal(arguments[0], arguments[1], EQUAL_DEPTH));
}

static struct object *eof_object(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)arguments, (void)count;
  return m->eof;
}

static struct object *unspecified(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  (void)arguments, (void)count;
  return m->unspecified;
}

/* (%record-type name field ...) */
static struct object *record_type(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  struct slots *type = make_slots(m, KIND_RECORD_TYPE, count, NULL);
  for (unsigned i = 0; i < count; i++)
    type->items[i] = arguments[i];
  return &type->head;
}

/* (%record type value ...) */
static struct object *record(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  struct slots *object = make_slots(m, KIND_RECORD, as_slots(arguments[0])->length, m->no);
  for (unsigned i = 0; i < count && i < object->length; i++)
    object->items[i] = arguments[i];
  return &object->head;
}

static bool is_record_of(const struct object *o, const struct object *type) {
  return is_kind(o, KIND_RECORD) && ((const struct slots *)o)->items[0] == type;
}

static struct object *is_it_record_of(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)count;
  return make_boolean(m, is_record_of(arguments[0], arguments[1]));
}

/* (%record-field record type field [value]); null: a failure. */
static struct object *record_field(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  if (!is_record_of(arguments[0], arguments[1])) {
    struct object *type = slot(arguments[1], 0);
    struct object *irritants = make_pair(m, type, make_pair(m, arguments[0], m->nil));
    return fail_with(m, make_message(m, "a record of another type is expected:"), irritants, NULL);
  }
  const struct slots *type = as_slots(arguments[1]);
  for (size_t i = 1; i < type->length; i++)
    if (type->items[i] == arguments[2]) {
      if (count > 3)
        as_slots(arguments[0])->items[i] = arguments[3];
      return slot(arguments[0], i);
    }
  return fail(m, "a record has no such field", arguments[2]);
}

/* (%promise is-done value) */
static struct object *promise(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  (void)count;
  struct slots *made = make_slots(m, KIND_PROMISE, PROMISE_SLOTS, NULL);
  made->items[PROMISE_IS_DONE] = arguments[0];
  made->items[PROMISE_VALUE] = arguments[1];
  return &made->head;
}

/* (%promise-part promise part [value]) */
static struct object *promise_part(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  size_t part = is_true(arguments[1]) ? PROMISE_IS_DONE : PROMISE_VALUE;
  if (!is_kind(arguments[0], KIND_PROMISE))
    return fail_type(m, "force", "a promise", arguments[0]);
  if (count > 2)
    as_slots(arguments[0])->items[part] = arguments[2];
  return slot(arguments[0], part);
}

static struct object *current_second(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  (void)arguments, (void)count;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return make_flonum(m, (double)now.tv_sec + (double)now.tv_nsec / 1e9);
}

static struct object *current_jiffy(struct machine *m, struct object *sameregion *arguments,
                                    unsigned count) {
  (void)arguments, (void)count;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return make_integer(m, (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
}

static struct object *jiffies_per_second(struct machine *m, struct object *sameregion *arguments,
                                         unsigned count) {
  (void)arguments, (void)count;
  return make_integer(m, 1000000);
}

static struct object *symbol_to_string(struct machine *m, struct object *sameregion *arguments,
                                       unsigned count) {
  (void)count;
  if (!is_symbol(arguments[0]))
    return fail_type(m, "symbol->string", "a symbol", arguments[0]);
  return make_text(m, as_symbol(arguments[0])->name, as_symbol(arguments[0])->length);
}

static struct object *string_to_symbol(struct machine *m, struct object *sameregion *arguments,
                                       unsigned count) {
  (void)count;
  size_t length;
  if (!is_string(arguments[0]))
    return fail_type(m, "string->symbol", "a string", arguments[0]);
  char *unique text = string_utf8(as_string(arguments[0]), &length);
  if (!text)
    machine_die("out of memory");
  struct object *symbol = intern(m, text, length);
  free(text);
  return symbol;
}

static struct object *generate_symbol(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)arguments, (void)count;
  struct symbol *symbol = make_symbol(m, "g", 1);
  symbol->value = m->unbound;
  return &symbol->head;
}

const struct primitive primitives_objects[] = {{"boolean?", is_it_boolean, 1, 1},
                                               {"procedure?", is_it_procedure, 1, 1},
                                               {"symbol?", is_it_symbol, 1, 1},
                                               {"eof-object?", is_it_eof, 1, 1},
                                               {"error-object?", is_it_condition, 1, 1},
                                               {"promise?", is_it_promise, 1, 1},
                                               {"%record?", is_it_record, 1, 1},
                                               {"not", is_not, 1, 1},
                                               {"eq?", eqv, 2, 2},
                                               {"eqv?", eqv, 2, 2},
                                               {"equal?", equal, 2, 2},
                                               {"eof-object", eof_object, 0, 0},
                                               {"%unspecified", unspecified, 0, 0},
                                               {"%record-type", record_type, 1, ANY_COUNT},
                                               {"%record", record, 1, ANY_COUNT},
                                               {"%record-of?", is_it_record_of, 2, 2},
                                               {"%record-field", record_field, 3, 4},
                                               {"%promise", promise, 2, 2},
                                               {"%promise-part", promise_part, 2, 3},
                                               {"current-second", current_second, 0, 0},
                                               {"current-jiffy", current_jiffy, 0, 0},
                                               {"jiffies-per-second", jiffies_per_second, 0, 0},
                                               {"symbol->string", symbol_to_string, 1, 1},
                                               {"string->symbol", string_to_symbol, 1, 1},
                                               {"generate-symbol", generate_symbol, 0, 0},
                                               {NULL, NULL, 0, 0}};
