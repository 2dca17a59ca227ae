/* SPDX-License-Identifier: MIT */
/* text.c - prints values. */
#include "text.h"

#include <inttypes.h>
#include <string.h>

#include "machine.h"

void buffer_add(struct buffer *borrowed buffer, const char *borrowed bytes, size_t length) {
  if (buffer->size - buffer->length < length) {
    size_t size = 2 * buffer->size + length + 64;
    char *unique old = acre_take(&buffer->bytes);
    char *unique grown = realloc(old, size);
    if (!grown) {
      free(old);
      *buffer = (struct buffer){.is_cut = true};
      return;
    }
    free(acre_swap(&buffer->bytes, grown));
    buffer->size = size;
  }
  memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
}

void buffer_add_word(struct buffer *borrowed buffer, const char *borrowed word) {
  buffer_add(buffer, word, strlen(word));
}

void buffer_add_character(struct buffer *borrowed buffer, uint32_t character) {
  char bytes[4];
  buffer_add(buffer, bytes, utf8_put(bytes, character));
}

void buffer_free(struct buffer *borrowed buffer) {
  free(acre_take(&buffer->bytes));
  buffer->length = buffer->size = 0;
}

struct object *buffer_string(struct machine *m, const struct buffer *borrowed buffer) {
  if (buffer->is_cut)
    machine_die("out of memory");
  return buffer->bytes ? make_text(m, buffer->bytes, buffer->length) : &make_string(m, 0)->head;
}

struct object *buffer_symbol(struct machine *m, const struct buffer *borrowed buffer) {
  if (buffer->is_cut)
    machine_die("out of memory");
  return buffer->bytes ? intern(m, buffer->bytes, buffer->length) : intern(m, "", 0);
}

void buffer_write(const struct buffer *borrowed buffer, FILE *file) {
  if (buffer->bytes)
    fwrite(buffer->bytes, 1, buffer->length, file);
}

static const struct {
  const char *name;
  uint32_t character;
} names[] = {{"space", ' '}, {"newline", '\n'}, {"tab", '\t'},    {"return", '\r'}, {"null", 0},
             {"alarm", 7},   {"backspace", 8},  {"delete", 0x7F}, {"escape", 0x1B}, {"nul", 0}};

const char *character_name(uint32_t character) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].character == character)
      return names[i].name;
  return NULL;
}

bool character_of_name(const char *borrowed name, size_t length, uint32_t *borrowed character) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
      *character = names[i].character;
      return true;
    }
  return false;
}

static void print_character(struct buffer *buffer, uint32_t character, bool is_for_people) {
  char code[16];
  const char *name = character_name(character);
  if (is_for_people) {
    buffer_add_character(buffer, character);
    return;
  }
  buffer_add_word(buffer, "#\\");
  if (name) {
    buffer_add_word(buffer, name);
  } else if (character < ' ') {
    snprintf(code, sizeof code, "x%" PRIx32, character);
    buffer_add_word(buffer, code);
  } else {
    buffer_add_character(buffer, character);
  }
}

static void print_string(struct buffer *buffer, const struct string *string, bool is_for_people) {
  static const char specials[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
  if (!is_for_people)
    buffer_add(buffer, "\"", 1);
  for (size_t i = 0; i < string->length; i++) {
    uint32_t character = string->characters[i];
    const char *special =
        character && character < 0x80 && !is_for_people ? strchr(specials, (int)character) : NULL;
    if (special) {
      char escape[2] = {'\\', letters[special - specials]};
      buffer_add(buffer, escape, 2);
    } else {
      buffer_add_character(buffer, character);
    }
  }
  if (!is_for_people)
    buffer_add(buffer, "\"", 1);
}

/* Whether a name needs bars to be read as a symbol. */
static bool is_unusual(const struct symbol *symbol) {
  const char *name = symbol->name;
  if (!symbol->length || strcspn(name, " \t\r\n()\"';`,|#") < symbol->length)
    return name[0] != '#' || strcspn(name, " \t\r\n()\"';`,|") < symbol->length;
  char *end;
  strtod(name, &end);
  return (!*end && name[0] != 'i' && name[0] != 'n' && name[0] != 'I' && name[0] != 'N') ||
         strcmp(name, ".") == 0;
}

static void print_symbol(struct buffer *buffer, const struct symbol *symbol, bool is_for_people) {
  bool has_bars = !is_for_people && is_unusual(symbol);
  if (has_bars)
    buffer_add(buffer, "|", 1);
  buffer_add(buffer, symbol->name, symbol->length);
  if (has_bars)
    buffer_add(buffer, "|", 1);
}

static void print(struct buffer *borrowed buffer, struct object *value, bool is_for_people,
                  int depth);

static const char *abbreviation(struct object *list) {
  static const char *const words[][2] = {
      {"quote", "'"}, {"quasiquote", "`"}, {"unquote", ","}, {"unquote-splicing", ",@"}};
  if (is_symbol(car(list)) && is_pair(cdr(list)) && is_nil(cdr(cdr(list))))
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (strcmp(as_symbol(car(list))->name, words[i][0]) == 0)
        return words[i][1];
  return NULL;
}

static void print_list(struct buffer *buffer, struct object *list, bool is_for_people, int depth) {
  const char *mark = abbreviation(list);
  if (mark) {
    buffer_add_word(buffer, mark);
    print(buffer, cadr(list), is_for_people, depth - 1);
    return;
  }
  const struct object *seen = NULL; /* before, each time further on */
  size_t count = 0, next_seen = 1;
  const char *before = "(";
  for (; is_pair(list) && list != seen; list = cdr(list)) {
    buffer_add_word(buffer, before);
    print(buffer, car(list), is_for_people, depth - 1);
    before = " ";
    if (++count == next_seen) {
      seen = list;
      next_seen *= 2;
    }
  }
  if (!is_nil(list)) {
    buffer_add_word(buffer, is_pair(list) ? " ..." : " . ");
    if (!is_pair(list))
      print(buffer, list, is_for_people, depth - 1);
  }
  buffer_add(buffer, ")", 1);
}

static void print_items(struct buffer *buffer, struct slots *slots, size_t first,
                        bool is_for_people, int depth) {
  for (size_t i = first; i < slots->length; i++) {
    if (i)
      buffer_add(buffer, " ", 1);
    print(buffer, slots->items[i], is_for_people, depth - 1);
  }
}

static void print_bytes(struct buffer *buffer, const struct bytevector *bytes) {
  char digits[8];
  buffer_add_word(buffer, "#u8(");
  for (size_t i = 0; i < bytes->length; i++) {
    snprintf(digits, sizeof digits, i ? " %u" : "%u", bytes->bytes[i]);
    buffer_add_word(buffer, digits);
  }
  buffer_add(buffer, ")", 1);
}

static void print_record(struct buffer *buffer, struct slots *record, bool is_for_people,
                         int depth) {
  struct slots *type = as_slots(record->items[0]);
  buffer_add_word(buffer, "#<");
  print(buffer, type->items[0], true, depth - 1);
  print_items(buffer, record, 1, is_for_people, depth);
  buffer_add_word(buffer, ">");
}

static void print_procedure(struct buffer *buffer, struct object *procedure) {
  struct object *name = ((struct code *)slot(procedure, PROCEDURE_CODE))->name;
  buffer_add_word(buffer, "#<procedure");
  if (name) {
    buffer_add_word(buffer, " ");
    print(buffer, name, true, 1);
  }
  buffer_add_word(buffer, ">");
}

/* Words for what has no notation. */
static const char *description(const struct object *value) {
  switch (value->kind) {
  case KIND_NIL:
    return "()";
  case KIND_FALSE:
    return "#f";
  case KIND_TRUE:
    return "#t";
  case KIND_UNSPECIFIED:
    return "#<unspecified>";
  case KIND_EOF:
    return "#<eof>";
  case KIND_PRIMITIVE:
    return "#<primitive>";
  case KIND_CONTINUATION:
    return "#<continuation>";
  case KIND_CONDITION:
    return "#<condition>";
  case KIND_PROMISE:
    return "#<promise>";
  case KIND_PARAMETER:
    return "#<parameter>";
  case KIND_PORT:
    return "#<port>";
  case KIND_RECORD_TYPE:
    return "#<record-type>";
  case KIND_FORM:
  case KIND_MACRO:
    return "#<syntax>";
  default:
    return "#<internal>";
  }
}

static void print(struct buffer *borrowed buffer, struct object *value, bool is_for_people,
                  int depth) {
  if (depth <= 0) {
    buffer_add_word(buffer, "...");
    return;
  }
  switch (value->kind) {
  case KIND_FIXNUM:
  case KIND_FLONUM:
    print_number(buffer, value, 10);
    break;
  case KIND_CHARACTER:
    print_character(buffer, (uint32_t)integer_of(value), is_for_people);
    break;
  case KIND_PAIR:
    print_list(buffer, value, is_for_people, depth);
    break;
  case KIND_STRING:
    print_string(buffer, as_string(value), is_for_people);
    break;
  case KIND_BYTEVECTOR:
    print_bytes(buffer, as_bytes(value));
    break;
  case KIND_SYMBOL:
    print_symbol(buffer, as_symbol(value), is_for_people);
    break;
  case KIND_ALIAS:
    print(buffer, slot(value, ALIAS_NAME), is_for_people, depth);
    break;
  case KIND_VECTOR:
    buffer_add_word(buffer, "#(");
    print_items(buffer, as_slots(value), 0, is_for_people, depth);
    buffer_add(buffer, ")", 1);
    break;
  case KIND_VALUES:
    print_items(buffer, as_slots(value), 0, is_for_people, depth);
    break;
  case KIND_RECORD:
    print_record(buffer, as_slots(value), is_for_people, depth);
    break;
  case KIND_PROCEDURE:
    print_procedure(buffer, value);
    break;
  default:
    buffer_add_word(buffer, description(value));
  }
}

void print_value(struct buffer *borrowed buffer, struct object *value, bool is_for_people) {
  print(buffer, value, is_for_people, PRINT_DEPTH);
}
