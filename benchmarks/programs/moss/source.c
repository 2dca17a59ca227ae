/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <stdio.h>

#include "random.h"

enum {
  FUNCTIONS_MIN = 6,
  FUNCTIONS_RANGE = 12,
  SHARED_PERCENT = 6,
  SHARED_POOL = 1500,
  DEPTH_LIMIT = 4,
  NAME_COUNT = 40,
};

/* Where a function is written to, and what decides what it looks like and what its names are. */
struct writer {
  struct text *text;
  uint64_t shape;
  uint32_t names; /* a document's own */
  int depth;
};

static void write_block(struct writer *w);

static uint32_t choose(struct writer *w, uint32_t limit) { return random_below(&w->shape, limit); }

static void put(struct writer *w, const char *string) { text_append_string(w->text, string); }

static void put_number(struct writer *w, const char *format, uint32_t number) {
  char buffer[40];
  int length = snprintf(buffer, sizeof buffer, format, number);
  text_append(w->text, buffer, (size_t)length);
}

static void write_name(struct writer *w) {
  static const char *const formats[] = {"v%u",     "count_%u", "p%u",    "item%u",
                                        "next_%u", "i%u",      "size%u", "buffer_%u"};
  uint32_t name = (choose(w, NAME_COUNT) + w->names) % 997;
  put_number(w, formats[name % 8], name);
}

static void write_operand(struct writer *w) {
  switch (choose(w, 9)) {
  case 0:
    put_number(w, "%u", choose(w, 1000));
    break;
  case 1:
    put_number(w, "'%c'", 'a' + choose(w, 26));
    break;
  case 2:
    write_name(w);
    put(w, "[");
    write_name(w);
    put(w, "]");
    break;
  case 3:
    write_name(w);
    put(w, "->");
    write_name(w);
    break;
  case 4:
    write_name(w);
    put(w, "(");
    for (uint32_t i = choose(w, 4); i > 0; i--) {
      write_name(w);
      put(w, i > 1 ? ", " : "");
    }
    put(w, ")");
    break;
  case 5:
    put(w, "*"); /* fall through */
  default:
    write_name(w);
  }
}

static void write_expression(struct writer *w) {
  static const char *const operators[] = {" + ", " - ", " * ", " / ", " & ", " << ", " % ", " | "};
  write_operand(w);
  for (uint32_t i = choose(w, 3); i > 0; i--) {
    put(w, operators[choose(w, 8)]);
    write_operand(w);
  }
}

static void write_condition(struct writer *w) {
  static const char *const comparisons[] = {" == ", " != ", " < ", " >= "};
  write_expression(w);
  put(w, comparisons[choose(w, 4)]);
  write_operand(w);
}

static void indent(struct writer *w) {
  for (int i = 0; i < w->depth; i++)
    put(w, "  ");
}

static void write_simple_statement(struct writer *w) {
  static const char *const assignments[] = {" = ", " += ", " = ", " |= "};
  switch (choose(w, 8)) {
  case 0:
    put(w, "printf(\"%d\\n\", ");
    write_expression(w);
    put(w, ")");
    break;
  case 1:
    write_name(w);
    put(w, "++");
    break;
  case 2:
    put(w, "return ");
    write_expression(w);
    break;
  default:
    write_operand(w);
    put(w, assignments[choose(w, 4)]);
    write_expression(w);
  }
  put(w, ";\n");
}

static void write_statement(struct writer *w) {
  uint32_t kind = w->depth < DEPTH_LIMIT ? choose(w, 10) : 9;
  indent(w);
  if (kind > 2) {
    write_simple_statement(w);
    return;
  }
  put(w, kind == 0 ? "if (" : kind == 1 ? "while (" : "for (");
  if (kind == 2) {
    write_name(w);
    put(w, " = 0; ");
  }
  write_condition(w);
  if (kind == 2) {
    put(w, "; ");
    write_name(w);
    put(w, "++");
  }
  put(w, ") {\n");
  write_block(w);
  indent(w);
  put(w, "}\n");
}

static void write_block(struct writer *w) {
  w->depth++;
  for (uint32_t i = 2 + choose(w, 5); i > 0; i--)
    write_statement(w);
  w->depth--;
}

static void write_function(struct writer *w) {
  put(w, "/* ");
  write_name(w);
  put(w, " */\nint ");
  write_name(w);
  put(w, "(int ");
  write_name(w);
  put(w, ", struct node *");
  write_name(w);
  put(w, ") {\n");
  write_block(w);
  write_block(w);
  put(w, "}\n\n");
}

void source_write(struct text *text, uint32_t document) {
  uint64_t state = random_seed(1, document);
  struct writer writer = {.text = text, .names = random_below(&state, 997)};
  for (uint32_t i = FUNCTIONS_MIN + random_below(&state, FUNCTIONS_RANGE); i > 0; i--) {
    bool is_shared = random_below(&state, 100) < SHARED_PERCENT;
    writer.shape =
        is_shared ? random_seed(2, random_below(&state, SHARED_POOL)) : random_next(&state);
    write_function(&writer);
  }
}
