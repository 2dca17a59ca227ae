/* SPDX-License-Identifier: MIT */
/* primitives.c - the tables of primitives. */
#include "primitives.h"

#include <stdio.h>
#include <string.h>

/* Each ends with a primitive without a name. */
#define TABLES(X) \
  X(control)      \
  X(objects) X(numbers) X(functions) X(lists) X(characters) X(strings) X(vectors) X(ports)
#define DECLARE_TABLE(name) extern const struct primitive primitives_##name[];
TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

static const struct primitive *const tables[] = {
#define TABLE(name) primitives_##name,
    TABLES(TABLE)
#undef TABLE
};
enum { TABLE_COUNT = sizeof tables / sizeof *tables, TABLE_BITS = 16 };

const struct primitive *primitive_of(const struct object *primitive) {
  int64_t number = integer_of(primitive);
  return &tables[number >> TABLE_BITS][number & ((1 << TABLE_BITS) - 1)];
}

static struct object *make_primitive(struct machine *m, size_t table, size_t index) {
  return make_number_of_kind(m, KIND_PRIMITIVE, (int64_t)(table << TABLE_BITS | index));
}

struct object *primitive_object(struct machine *m, const char *name) {
  for (size_t table = 0; table < TABLE_COUNT; table++)
    for (size_t i = 0; tables[table][i].name; i++)
      if (strcmp(tables[table][i].name, name) == 0)
        return make_primitive(m, table, i);
  machine_die("a primitive is missing");
}

void define_primitives(struct machine *m) {
  for (size_t table = 0; table < TABLE_COUNT; table++)
    for (size_t i = 0; tables[table][i].name; i++)
      as_symbol(intern_word(m, tables[table][i].name))->value = make_primitive(m, table, i);
}

bool is_index(struct machine *m, const char *primitive, struct object *value, int64_t least,
              int64_t most) {
  if (is_fixnum(value) && integer_of(value) >= least && integer_of(value) <= most)
    return true;
  char expected[100];
  if (most == INT64_MAX)
    snprintf(expected, sizeof expected, "an integer from %lld", (long long)least);
  else
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)least,
             (long long)most);
  fail_type(m, primitive, expected, value);
  return false;
}

bool select_range(struct machine *m, const char *primitive, struct object *sameregion *arguments,
                  unsigned count, unsigned first, size_t length, size_t *borrowed start,
                  size_t *borrowed end) {
  *start = 0;
  *end = length;
  if (count > first + 1) {
    if (!is_index(m, primitive, arguments[first + 1], 0, (int64_t)length))
      return false;
    *end = (size_t)integer_of(arguments[first + 1]);
  }
  if (count > first) {
    if (!is_index(m, primitive, arguments[first], 0, (int64_t)*end))
      return false;
    *start = (size_t)integer_of(arguments[first]);
  }
  return true;
}

bool has_room(struct machine *m, const char *primitive, uint64_t bytes) {
  if (bytes <= m->host->limit)
    return true;
  char message[100];
  snprintf(message, sizeof message, "%s: out of memory", primitive);
  fail_with(m, make_message(m, message), m->nil, "out-of-memory");
  return false;
}
