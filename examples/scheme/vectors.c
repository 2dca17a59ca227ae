/* SPDX-License-Identifier: MIT */
/* vectors.c - vectors and bytevectors. */
#include <string.h>

#include "primitives.h"
#include "text.h"

static bool is_vector(struct machine *m, const char *name, struct object *o) {
  if (is_kind(o, KIND_VECTOR))
    return true;
  fail_type(m, name, "a vector", o);
  return false;
}

static struct object *is_it_vector(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  (void)count;
  return make_boolean(m, is_kind(arguments[0], KIND_VECTOR));
}

static struct object *make(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  if (!is_index(m, "make-vector", arguments[0], 0, INT64_MAX / 16) ||
      !has_room(m, "make-vector", (uint64_t)integer_of(arguments[0]) * sizeof(struct object *)))
    return NULL;
  size_t length = (size_t)integer_of(arguments[0]);
  return &make_slots(m, KIND_VECTOR, length, count > 1 ? arguments[1] : m->unspecified)->head;
}

static struct object *of_values(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  struct slots *vector = make_slots(m, KIND_VECTOR, count, NULL);
  for (unsigned i = 0; i < count; i++)
    vector->items[i] = arguments[i];
  return &vector->head;
}

static struct object *length(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  (void)count;
  return is_vector(m, "vector-length", arguments[0])
             ? make_integer(m, (int64_t)as_slots(arguments[0])->length)
             : NULL;
}

static bool is_place(struct machine *m, const char *name, struct object *sameregion *arguments) {
  return is_vector(m, name, arguments[0]) &&
         is_index(m, name, arguments[1], 0, (int64_t)as_slots(arguments[0])->length - 1);
}

static struct object *ref(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  (void)count;
  return is_place(m, "vector-ref", arguments) ? slot(arguments[0], (size_t)integer_of(arguments[1]))
                                              : NULL;
}

static struct object *set(struct machine *m, struct object *sameregion *arguments, unsigned count) {
  (void)count;
  if (!is_place(m, "vector-set!", arguments))
    return NULL;
  as_slots(arguments[0])->items[integer_of(arguments[1])] = arguments[2];
  return m->unspecified;
}

static struct object *to_list(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  size_t start, end;
  if (!is_vector(m, "vector->list", arguments[0]) ||
      !select_range(m, "vector->list", arguments, count, 1, as_slots(arguments[0])->length, &start,
                    &end))
    return NULL;
  struct object *list = m->nil;
  for (size_t i = end; i > start; i--)
    list = make_pair(m, slot(arguments[0], i - 1), list);
  return list;
}

static struct object *of_list(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  (void)count;
  int64_t size = list_length(arguments[0]);
  if (size < 0)
    return fail_type(m, "list->vector", "a list", arguments[0]);
  struct slots *vector = make_slots(m, KIND_VECTOR, (size_t)size, NULL);
  struct object *each = arguments[0];
  for (size_t i = 0; i < vector->length; i++, each = cdr(each))
    vector->items[i] = car(each);
  return &vector->head;
}

static struct object *fill(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  size_t start, end;
  if (!is_vector(m, "vector-fill!", arguments[0]) ||
      !select_range(m, "vector-fill!", arguments, count, 2, as_slots(arguments[0])->length, &start,
                    &end))
    return NULL;
  for (size_t i = start; i < end; i++)
    as_slots(arguments[0])->items[i] = arguments[1];
  return m->unspecified;
}

static struct object *copy(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  size_t start, end;
  if (!is_vector(m, "vector-copy", arguments[0]) ||
      !select_range(m, "vector-copy", arguments, count, 1, as_slots(arguments[0])->length, &start,
                    &end))
    return NULL;
  struct slots *vector = make_slots(m, KIND_VECTOR, end - start, NULL);
  for (size_t i = start; i < end; i++)
    vector->items[i - start] = slot(arguments[0], i);
  return &vector->head;
}

/* (vector-copy! to at from [start end]) */
static struct object *copy_into(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  size_t start, end;
  if (!is_vector(m, "vector-copy!", arguments[0]) || !is_vector(m, "vector-copy!", arguments[2]) ||
      !select_range(m, "vector-copy!", arguments, count, 3, as_slots(arguments[2])->length, &start,
                    &end) ||
      !is_index(m, "vector-copy!", arguments[1], 0,
                (int64_t)as_slots(arguments[0])->length - (int64_t)(end - start)))
    return NULL;
  struct slots *to = as_slots(arguments[0]), *from = as_slots(arguments[2]);
  size_t at = (size_t)integer_of(arguments[1]), size = end - start;
  for (size_t i = 0; i < size; i++) {
    size_t each = at > start ? size - 1 - i : i; /* they may overlap */
    to->items[at + each] = from->items[start + each];
  }
  return m->unspecified;
}

static struct object *append(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  uint64_t total = 0;
  size_t place = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!is_vector(m, "vector-append", arguments[i]))
      return NULL;
    total += as_slots(arguments[i])->length;
  }
  if (!has_room(m, "vector-append", total * sizeof(struct object *)))
    return NULL;
  struct slots *vector = make_slots(m, KIND_VECTOR, (size_t)total, NULL);
  for (unsigned i = 0; i < count; i++)
    for (size_t j = 0; j < as_slots(arguments[i])->length; j++)
      vector->items[place++] = slot(arguments[i], j);
  return &vector->head;
}

static bool is_bytes(struct machine *m, const char *name, struct object *o) {
  if (is_kind(o, KIND_BYTEVECTOR))
    return true;
  fail_type(m, name, "a bytevector", o);
  return false;
}

static struct object *is_it_bytes(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  (void)count;
  return make_boolean(m, is_kind(arguments[0], KIND_BYTEVECTOR));
}

static struct object *make_bytes(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  if (!is_index(m, "make-bytevector", arguments[0], 0, INT64_MAX / 2) ||
      !has_room(m, "make-bytevector", (uint64_t)integer_of(arguments[0])) ||
      (count > 1 && !is_index(m, "make-bytevector", arguments[1], 0, 255)))
    return NULL;
  struct bytevector *bytes = make_bytevector(m, (size_t)integer_of(arguments[0]));
  memset(bytes->bytes, count > 1 ? (int)integer_of(arguments[1]) : 0, bytes->length);
  return &bytes->head;
}

static struct object *of_bytes(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  struct bytevector *bytes = make_bytevector(m, count);
  for (unsigned i = 0; i < count; i++) {
    if (!is_index(m, "bytevector", arguments[i], 0, 255))
      return NULL;
    bytes->bytes[i] = (uint8_t)integer_of(arguments[i]);
  }
  return &bytes->head;
}

static struct object *bytes_length(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  (void)count;
  return is_bytes(m, "bytevector-length", arguments[0])
             ? make_integer(m, (int64_t)as_bytes(arguments[0])->length)
             : NULL;
}

static bool is_byte_place(struct machine *m, const char *name,
                          struct object *sameregion *arguments) {
  return is_bytes(m, name, arguments[0]) &&
         is_index(m, name, arguments[1], 0, (int64_t)as_bytes(arguments[0])->length - 1);
}

static struct object *bytes_ref(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  return is_byte_place(m, "bytevector-u8-ref", arguments)
             ? make_integer(m, as_bytes(arguments[0])->bytes[integer_of(arguments[1])])
             : NULL;
}

static struct object *bytes_set(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  if (!is_byte_place(m, "bytevector-u8-set!", arguments) ||
      !is_index(m, "bytevector-u8-set!", arguments[2], 0, 255))
    return NULL;
  as_bytes(arguments[0])->bytes[integer_of(arguments[1])] = (uint8_t)integer_of(arguments[2]);
  return m->unspecified;
}

static struct object *bytes_copy(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  size_t start, end;
  if (!is_bytes(m, "bytevector-copy", arguments[0]) ||
      !select_range(m, "bytevector-copy", arguments, count, 1, as_bytes(arguments[0])->length,
                    &start, &end))
    return NULL;
  struct bytevector *bytes = make_bytevector(m, end - start);
  memcpy(bytes->bytes, as_bytes(arguments[0])->bytes + start, end - start);
  return &bytes->head;
}

static struct object *utf8_to_string(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  size_t start, end;
  if (!is_bytes(m, "utf8->string", arguments[0]) ||
      !select_range(m, "utf8->string", arguments, count, 1, as_bytes(arguments[0])->length, &start,
                    &end))
    return NULL;
  return make_text(m, (const char *)as_bytes(arguments[0])->bytes + start, end - start);
}

static struct object *string_to_utf8(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  (void)count;
  size_t size = 0;
  char bytes[4];
  if (!is_string(arguments[0]))
    return fail_type(m, "string->utf8", "a string", arguments[0]);
  const struct string *string = as_string(arguments[0]);
  for (size_t i = 0; i < string->length; i++)
    size += utf8_put(bytes, string->characters[i]);
  struct bytevector *result = make_bytevector(m, size);
  size = 0;
  for (size_t i = 0; i < string->length; i++) {
    size_t used = utf8_put(bytes, string->characters[i]);
    memcpy(result->bytes + size, bytes, used);
    size += used;
  }
  return &result->head;
}

const struct primitive primitives_vectors[] = {{"vector?", is_it_vector, 1, 1},
                                               {"make-vector", make, 1, 2},
                                               {"vector", of_values, 0, ANY_COUNT},
                                               {"vector-length", length, 1, 1},
                                               {"vector-ref", ref, 2, 2},
                                               {"vector-set!", set, 3, 3},
                                               {"vector->list", to_list, 1, 3},
                                               {"list->vector", of_list, 1, 1},
                                               {"vector-fill!", fill, 2, 4},
                                               {"vector-copy", copy, 1, 3},
                                               {"vector-copy!", copy_into, 3, 5},
                                               {"vector-append", append, 0, ANY_COUNT},
                                               {"bytevector?", is_it_bytes, 1, 1},
                                               {"make-bytevector", make_bytes, 1, 2},
                                               {"bytevector", of_bytes, 0, ANY_COUNT},
                                               {"bytevector-length", bytes_length, 1, 1},
                                               {"bytevector-u8-ref", bytes_ref, 2, 2},
                                               {"bytevector-u8-set!", bytes_set, 3, 3},
                                               {"bytevector-copy", bytes_copy, 1, 3},
                                               {"utf8->string", utf8_to_string, 1, 3},
                                               {"string->utf8", string_to_utf8, 1, 1},
                                               {NULL, NULL, 0, 0}};
