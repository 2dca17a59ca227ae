/* SPDX-License-Identifier: MIT */
/* workload.c - random programs that always end.
 *
 * Every variable holds a number, except lists, vectors and closures, which have names of their own.
 * A loop counts up to a small constant, and a function calls at most one of those before it,
 * outside of loops: so a run takes about as long as the program is.
 */
#include "workload.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "program.h"

enum { PARAMETERS = 3, EXPRESSION_DEPTH = 4, STATEMENT_DEPTH = 3 };

struct workload {
  char *traditional text;
  size_t length, capacity;
  unsigned state;
  int local_count; /* v0 .. of the function being written */
  int name_count;  /* all names that had to be new */
};

static int choose(struct workload *workload, int limit) {
  workload->state = workload->state * 1664525u + 1013904223u;
  return (int)((workload->state >> 10) % (unsigned)limit);
}

__attribute__((format(printf, 2, 3))) static void add(struct workload *workload, const char *format,
                                                      ...) {
  va_list arguments;
  if (workload->capacity - workload->length < 256) {
    workload->capacity = workload->capacity * 2 + 4096;
    workload->text = realloc(workload->text, workload->capacity);
    if (!workload->text)
      fail(0, "out of memory");
  }
  va_start(arguments, format);
  workload->length += (size_t)vsnprintf(workload->text + workload->length,
                                        workload->capacity - workload->length, format, arguments);
  va_end(arguments);
}

static void add_operand(struct workload *workload) {
  int choice = choose(workload, 10);
  if (choice < 5 && workload->local_count > 0)
    add(workload, "v%d", choose(workload, workload->local_count));
  else if (choice < 7)
    add(workload, "p%d", choose(workload, PARAMETERS));
  else if (choice < 8)
    add(workload, "total");
  else
    add(workload, "%d", choose(workload, 2) ? choose(workload, 100) : choose(workload, 1000000));
}

static void add_expression(struct workload *workload, int depth) {
  static const char *const operators[] = {"+", "-",  "*",  "&",  "|", "^",
                                          "<", "==", "!=", "<=", "+", "-"};
  int choice = choose(workload, 12);
  if (depth == 0 || choice < 2) {
    add_operand(workload);
  } else if (choice < 9) {
    bool is_nested = choose(workload, 2);
    add(workload, is_nested ? "(" : "");
    add_expression(workload, depth - 1);
    add(workload, " %s ", operators[choose(workload, 12)]);
    add_expression(workload, depth - 1);
    add(workload, is_nested ? ")" : "");
  } else if (choice == 9) {
    add(workload, "(if (");
    add_expression(workload, depth - 1);
    add(workload, choose(workload, 2) ? " > 3 && " : " < 100 || ");
    add_expression(workload, depth - 1);
    add(workload, ") ");
    add_expression(workload, depth - 1);
    add(workload, " else ");
    add_expression(workload, depth - 1);
    add(workload, ")");
  } else if (choice == 10) {
    add(workload, "-(");
    add_expression(workload, depth - 1);
    add(workload, " %% %d)", 2 + choose(workload, 97));
  } else {
    add(workload, "length(\"%s\" + string(", choose(workload, 2) ? "abc" : "longer text\\n");
    add_operand(workload);
    add(workload, "))");
  }
}

static void add_statements(struct workload *workload, int depth, int count);

static void add_loop(struct workload *workload, int depth) {
  int name = workload->name_count++;
  int limit = 2 + choose(workload, 4);
  add(workload, "{ var i%d; for (i%d = 0; i%d < %d; i%d = i%d + 1) {\n", name, name, name, limit,
      name, name);
  add_statements(workload, depth - 1, 2);
  if (choose(workload, 3) == 0) {
    add(workload, "if (");
    add_expression(workload, 1);
    add(workload, ") %s;\n", choose(workload, 2) ? "break" : "continue");
  }
  add(workload, "} };\n");
}

/* A closure that changes a variable of its function, and two calls of it. */
static void add_closure(struct workload *workload) {
  int name = workload->name_count++, local = choose(workload, workload->local_count);
  add(workload, "{ var c%d = fn (p0) { v%d = v%d + p0; p0 * ", name, local, local);
  add_expression(workload, 2);
  add(workload, " }; v%d = c%d(", choose(workload, workload->local_count), name);
  add_expression(workload, 2);
  add(workload, ") + c%d(%d) };\n", name, choose(workload, 50));
}

static void add_list(struct workload *workload) {
  int name = workload->name_count++;
  add(workload, "{ var l%d = [", name);
  for (int i = 0; i < 3; i++) {
    add_expression(workload, 1);
    add(workload, ", ");
  }
  add(workload,
      "%d], s%d = 0;\nwhile (l%d != nil) l%d = match (l%d) { h :: t => { s%d = s%d * 3 + h; t }; "
      "};\n",
      choose(workload, 10), name, name, name, name, name, name);
  add(workload, "v%d = s%d };\n", choose(workload, workload->local_count), name);
}

static void add_vector(struct workload *workload) {
  int name = workload->name_count++;
  add(workload, "{ var a%d = #[", name);
  for (int i = 0; i < 4; i++) {
    add_expression(workload, 1);
    add(workload, i < 3 ? ", " : "];\n");
  }
  add(workload, "a%d[%d] = ", name, choose(workload, 4));
  add_expression(workload, 2);
  int target = choose(workload, workload->local_count), left = choose(workload, 4),
      right = choose(workload, 4);
  add(workload, "; v%d = a%d[%d] - a%d[%d] };\n", target, name, left, name, right);
}

static void add_match(struct workload *workload) {
  add(workload, "v%d = match (", choose(workload, workload->local_count));
  add_expression(workload, 1);
  add(workload, " & 3) {\n");
  for (int i = 0; i < 3; i++) {
    add(workload, "%d => ", i);
    add_expression(workload, 2);
    add(workload, ";\n");
  }
  add(workload, "_ => %d };\n", choose(workload, 1000));
}

static void add_if(struct workload *workload, int depth) {
  add(workload, "if (");
  add_expression(workload, 2);
  add(workload, ") {\n");
  add_statements(workload, depth - 1, 2);
  add(workload, "} else {\n");
  add_statements(workload, depth - 1, 2);
  add(workload, "};\n");
}

static void add_statements(struct workload *workload, int depth, int count) {
  for (int i = 0; i < count; i++) {
    int choice = choose(workload, 12);
    if (depth > 0 && choice < 2) {
      add_loop(workload, depth);
    } else if (depth > 0 && choice < 4) {
      add_if(workload, depth);
    } else if (choice == 4) {
      add_closure(workload);
    } else if (choice == 5) {
      add_list(workload);
    } else if (choice == 6) {
      add_vector(workload);
    } else if (choice == 7) {
      add_match(workload);
    } else {
      bool is_local = choose(workload, 6);
      add(workload, is_local ? "v%d = " : "total = v%d ^ ",
          choose(workload, workload->local_count));
      add_expression(workload, EXPRESSION_DEPTH);
      add(workload, ";\n");
    }
  }
}

static void add_function(struct workload *workload, int index) {
  workload->local_count = 0;
  add(workload, "fn f%d(p0, p1, p2) {\n", index);
  for (int i = 0; i < 4; i++) {
    add(workload, "var v%d = ", i);
    add_expression(workload, 2);
    add(workload, ";\n");
    workload->local_count = i + 1;
  }
  add_statements(workload, STATEMENT_DEPTH, 5);
  if (index > 0) {
    add(workload, "v0 = v0 + f%d(", choose(workload, index));
    add_expression(workload, 2);
    add(workload, ", v1, v2);\n");
  }
  add(workload, "v0 + v1 * 3 + v2 * 5 + v3 * 7\n};\n");
  int first = choose(workload, 100), second = choose(workload, 100);
  add(workload, "total = total * 31 + f%d(%d, %d, total);\n", index, first, second);
}

char *workload_generate(unsigned seed, int function_count) {
  struct workload workload = {NULL, 0, 0, seed * 2654435761u + 1, 0, 0};
  add(&workload, "total = 1;\n");
  for (int i = 0; i < function_count; i++)
    add_function(&workload, i);
  add(&workload, "total;\n");
  return workload.text;
}
