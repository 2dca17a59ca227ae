/* SPDX-License-Identifier: MIT */
/* value.c - makes objects and compares them. */
#include "value.h"

#include <string.h>

#include "heap.h"

/* Counts what was allocated since the last collection, which decides when the next one starts. */
static void count_bytes(struct machine *m, size_t size) { m->host->allocated += size; }

struct object *inregion(m) make_pair(struct machine *m, struct object *inregion(m) first,
                                     struct object *inregion(m) rest) {
  struct pair *pair = ralloc(MEMORY(m), struct pair);
  count_bytes(m, sizeof *pair);
  pair->head.kind = KIND_PAIR;
  pair->car = first;
  pair->cdr = rest;
  return &pair->head;
}

struct object *inregion(m) make_number_of_kind(struct machine *m, enum kind kind, int64_t value) {
  struct number *number = ralloc(MEMORY(m), struct number);
  count_bytes(m, sizeof *number);
  number->head.kind = kind;
  number->value = value;
  return &number->head;
}

struct object *inregion(m) make_integer(struct machine *m, int64_t value) {
  if (value >= SMALL_LEAST && value < SMALL_LEAST + SMALL_COUNT)
    return m->smalls->items[value - SMALL_LEAST];
  return make_number_of_kind(m, KIND_FIXNUM, value);
}

struct object *inregion(m) make_character(struct machine *m, uint32_t code) {
  return code < CHARACTER_COUNT ? m->characters->items[code]
                                : make_number_of_kind(m, KIND_CHARACTER, code);
}

struct object *inregion(m) make_flonum(struct machine *m, double value) {
  struct flonum *flonum = ralloc(MEMORY(m), struct flonum);
  count_bytes(m, sizeof *flonum);
  flonum->head.kind = KIND_FLONUM;
  flonum->value = value;
  return &flonum->head;
}

struct string *inregion(m) make_string(struct machine *m, size_t length) {
  struct string *string = ralloc_with(MEMORY(m), struct string, length * sizeof(uint32_t));
  count_bytes(m, sizeof *string + length * sizeof(uint32_t));
  string->head.kind = KIND_STRING;
  string->length = length;
  return string;
}

struct bytevector *inregion(m) make_bytevector(struct machine *m, size_t length) {
  struct bytevector *bytes = ralloc_with(MEMORY(m), struct bytevector, length);
  count_bytes(m, sizeof *bytes + length);
  bytes->head.kind = KIND_BYTEVECTOR;
  bytes->length = length;
  return bytes;
}

struct slots *inregion(m) make_slots(struct machine *m, enum kind kind, size_t length,
                                     struct object *inregion(m) fill) {
  struct slots *slots = ralloc_with(MEMORY(m), struct slots, length * sizeof(struct object *));
  count_bytes(m, sizeof *slots + length * sizeof(struct object *));
  slots->head.kind = kind;
  slots->length = length;
  if (fill)
    for (size_t i = 0; i < length; i++)
      slots->items[i] = fill;
  return slots;
}

struct code *inregion(m) make_code(struct machine *m, size_t length) {
  struct code *code = ralloc_with(MEMORY(m), struct code, length * sizeof(int32_t));
  count_bytes(m, sizeof *code + length * sizeof(int32_t));
  code->head.kind = KIND_CODE;
  code->length = (uint32_t)length;
  return code;
}

struct object *inregion(m) make_point(struct machine *m, struct code *inregion(m) code,
                                      size_t place) {
  struct point *point = ralloc(MEMORY(m), struct point);
  count_bytes(m, sizeof *point);
  point->head.kind = KIND_POINT;
  point->place = (uint32_t)place;
  point->code = code;
  return &point->head;
}

struct symbol *inregion(m) make_symbol(struct machine *m, const char *borrowed name,
                                       size_t length) {
  struct symbol *symbol = ralloc_with(MEMORY(m), struct symbol, length + 1);
  count_bytes(m, sizeof *symbol + length + 1);
  symbol->head.kind = KIND_SYMBOL;
  symbol->length = length;
  memcpy(symbol->name, name, length);
  return symbol;
}

struct object *inregion(m) intern(struct machine *m, const char *borrowed name, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  size_t chain = (hash ^ hash >> 16) % SYMBOL_CHAINS;
  for (struct symbol *each = m->symbols[chain]; each; each = each->next)
    if (each->length == length && memcmp(each->name, name, length) == 0)
      return &each->head;
  struct symbol *symbol = make_symbol(m, name, length);
  symbol->value = m->unbound;
  symbol->next = m->symbols[chain];
  m->symbols[chain] = symbol;
  return &symbol->head;
}

struct object *inregion(m) intern_word(struct machine *m, const char *borrowed name) {
  return intern(m, name, strlen(name));
}

uint32_t utf8_next(const char *borrowed text, size_t end, size_t *borrowed place) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  unsigned char lead = (unsigned char)text[(*place)++];
  size_t more = lead < 0x80   ? 0
                : lead < 0xC0 ? 4
                : lead < 0xE0 ? 1
                : lead < 0xF0 ? 2
                : lead < 0xF8 ? 3
                              : 4;
  if (!more)
    return lead;
  if (more == 4 || end - *place < more)
    return 0xFFFD;
  uint32_t character = lead & (0x3Fu >> more);
  for (size_t i = 0; i < more; i++) {
    unsigned char next = (unsigned char)text[*place + i];
    if ((next & 0xC0) != 0x80)
      return 0xFFFD;
    character = character << 6 | (next & 0x3F);
  }
  if (character < least[more] || character > 0x10FFFF ||
      (character >= 0xD800 && character < 0xE000))
    return 0xFFFD;
  *place += more;
  return character;
}

size_t utf8_put(char *borrowed buffer, uint32_t character) {
  if (character < 0x80) {
    buffer[0] = (char)character;
    return 1;
  }
  size_t more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
  buffer[0] = (char)(leads[more] | character >> (6 * more));
  for (size_t i = 1; i <= more; i++)
    buffer[i] = (char)(0x80 | (character >> (6 * (more - i)) & 0x3F));
  return more + 1;
}

struct object *inregion(m) make_text(struct machine *m, const char *borrowed utf8, size_t length) {
  size_t count = 0;
  for (size_t place = 0; place < length; count++)
    utf8_next(utf8, length, &place);
  struct string *string = make_string(m, count);
  size_t place = 0;
  for (size_t i = 0; i < count; i++)
    string->characters[i] = utf8_next(utf8, length, &place);
  return &string->head;
}

struct object *inregion(m) make_message(struct machine *m, const char *borrowed utf8) {
  return make_text(m, utf8, strlen(utf8));
}

char *unique string_utf8(const struct string *borrowed string, size_t *borrowed length) {
  char *unique text = malloc(4 * string->length + 1);
  *length = 0;
  if (!text)
    return NULL;
  for (size_t i = 0; i < string->length; i++)
    *length += utf8_put(text + *length, string->characters[i]);
  text[*length] = 0;
  return text;
}

bool is_procedure(const struct object *o) {
  return is_kind(o, KIND_PROCEDURE) || is_kind(o, KIND_PRIMITIVE) ||
         is_kind(o, KIND_CONTINUATION) || is_kind(o, KIND_PARAMETER);
}

int64_t list_length(const struct object *list) {
  int64_t length = 0;
  const struct object *slow = list;
  for (; is_pair(list); length++) {
    list = ((const struct pair *)list)->cdr;
    if (length & 1)
      slow = ((const struct pair *)slow)->cdr;
    if (list == slow && is_pair(list))
      return -1;
  }
  return is_nil(list) ? length : -1;
}

bool is_eqv(const struct object *a, const struct object *b) {
  if (a == b)
    return true;
  if (a->kind != b->kind)
    return false;
  if (a->kind == KIND_FLONUM) {
    double first = flonum_of(a), second = flonum_of(b);
    return memcmp(&first, &second, sizeof first) == 0;
  }
  if (a->kind == KIND_STRING)
    return ((const struct string *)a)->length + ((const struct string *)b)->length == 0;
  return (a->kind >= KIND_FIXNUM && a->kind <= KIND_FORM && integer_of(a) == integer_of(b));
}

static bool is_equal_string(const struct string *a, const struct string *b) {
  return a->length == b->length &&
         memcmp(a->characters, b->characters, a->length * sizeof(uint32_t)) == 0;
}

static bool is_equal_bytes(const struct bytevector *a, const struct bytevector *b) {
  return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

bool is_equal(struct object *a, struct object *b, int depth) {
  for (; is_pair(a) && is_pair(b) && depth; a = cdr(a), b = cdr(b)) {
    if (a == b)
      return true;
    if (!is_equal(car(a), car(b), depth - 1))
      return false;
  }
  if (is_eqv(a, b))
    return true;
  if (a->kind != b->kind || !depth)
    return false;
  if (is_string(a))
    return is_equal_string(as_string(a), as_string(b));
  if (is_kind(a, KIND_BYTEVECTOR))
    return is_equal_bytes(as_bytes(a), as_bytes(b));
  if (!is_kind(a, KIND_VECTOR) || as_slots(a)->length != as_slots(b)->length)
    return false;
  for (size_t i = 0; i < as_slots(a)->length; i++)
    if (!is_equal(slot(a, i), slot(b, i), depth - 1))
      return false;
  return true;
}
