/* SPDX-License-Identifier: MIT */
/* workload.c - random C programs without undefined behaviour but signed overflow, which wraps.
 *
 * Loops count to small constants; a function calls one of those before it, outside of loops.
 * Divisors are odd, distances of shifts masked, doubles halved often enough to stay small.
 */
#include "workload.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

enum { EXPRESSION_DEPTH = 4, STATEMENT_DEPTH = 3, TABLE_SIZE = 16 };

struct workload {
  char *traditional text;
  size_t length, capacity;
  unsigned state;
  int name_count; /* all names that had to be new */
};

static int choose(struct workload *workload, int limit) {
  workload->state = workload->state * 1664525u + 1013904223u;
  return (int)((workload->state >> 10) % (unsigned)limit);
}

__attribute__((format(printf, 2, 3))) static void add(struct workload *workload, const char *format,
                                                      ...) {
  va_list arguments;
  if (workload->capacity - workload->length < 512) {
    workload->capacity = workload->capacity * 2 + 4096;
    workload->text = realloc(workload->text, workload->capacity);
    if (!workload->text)
      error("out of memory");
  }
  va_start(arguments, format);
  workload->length += (size_t)vsnprintf(workload->text + workload->length,
                                        workload->capacity - workload->length, format, arguments);
  va_end(arguments);
}

static void add_expression(struct workload *workload, int depth);

/* An object of some integer type that may be read and assigned. */
static void add_object(struct workload *workload) {
  static const char *const fields[] = {"p->i", "p->l",       "p->u",      "p->c",
                                       "p->s", "p->next->l", "p->next->i"};
  int choice = choose(workload, 16);
  if (choice < 6)
    add(workload, "v%d", choose(workload, 4));
  else if (choice < 8)
    add(workload, "u%d", choose(workload, 2));
  else if (choice < 9)
    add(workload, "s0");
  else if (choice < 10)
    add(workload, "c0");
  else if (choice < 13)
    add(workload, "%s", fields[choose(workload, 7)]);
  else if (choice < 14)
    add(workload, "p->e[%d]", choose(workload, 4));
  else if (choice < 15)
    add(workload, "table[%d]", choose(workload, TABLE_SIZE));
  else
    add(workload, "*q");
}

static void add_operand(struct workload *workload) {
  static const char *const suffixes[] = {"", "u", "L", "UL"};
  int choice = choose(workload, 10);
  if (choice < 6) {
    add_object(workload);
  } else if (choice < 7) {
    add(workload, choose(workload, 2) ? "a" : "b");
  } else if (choice < 8) {
    int constant = choose(workload, 1000000);
    add(workload, "%d%s", constant, suffixes[choose(workload, 4)]);
  } else {
    add(workload, "%d", choose(workload, 100));
  }
}

static void add_binary(struct workload *workload, int depth) {
  static const char *const operators[] = {"+", "-", "*",  "&",  "|",  "^",  "+",
                                          "-", "<", "==", "!=", ">=", "<=", ">"};
  add(workload, "(");
  add_expression(workload, depth - 1);
  add(workload, " %s ", operators[choose(workload, 14)]);
  add_expression(workload, depth - 1);
  add(workload, ")");
}

static void add_expression(struct workload *workload, int depth) {
  static const char *const casts[] = {"(int)",           "(unsigned char)", "(short)",
                                      "(unsigned long)", "(signed char)",   "(long)(double)(short)",
                                      "(unsigned)",      "(unsigned short)"};
  int choice = choose(workload, 16);
  if (depth == 0 || choice < 2) {
    add_operand(workload);
  } else if (choice < 9) {
    add_binary(workload, depth);
  } else if (choice < 10) {
    add(workload, "(");
    add_expression(workload, depth - 1);
    bool is_left = choose(workload, 2);
    add(workload, is_left ? " << %d)" : " >> %d)", choose(workload, 16));
  } else if (choice < 11) {
    add(workload, "((unsigned long)");
    add_expression(workload, depth - 1);
    add(workload, choose(workload, 2) ? " / (" : " %% (");
    add_expression(workload, depth - 1);
    add(workload, " | 1UL))");
  } else if (choice < 12) {
    add(workload, "%s(", casts[choose(workload, 8)]);
    add_expression(workload, depth - 1);
    add(workload, ")");
  } else if (choice < 13) {
    add(workload, "(");
    add_expression(workload, depth - 1);
    add(workload, " ? ");
    add_expression(workload, depth - 1);
    add(workload, " : ");
    add_expression(workload, depth - 1);
    add(workload, ")");
  } else if (choice < 14) {
    add(workload, "(");
    add_expression(workload, depth - 1);
    add(workload, choose(workload, 2) ? " && " : " || ");
    add_expression(workload, depth - 1);
    add(workload, ")");
  } else {
    static const char *const signs[] = {"-", "~", "!"};
    add(workload, "%s(", signs[choose(workload, 3)]);
    add_expression(workload, depth - 1);
    add(workload, ")");
  }
}

static void add_statements(struct workload *workload, int depth, int count);

static void add_loop(struct workload *workload, int depth) {
  int name = workload->name_count++, limit = 2 + choose(workload, 4), exits = choose(workload, 3);
  add(workload, "for (int i%d = 0; i%d < %d; i%d++) {\nv0 += i%d;\n", name, name, limit, name,
      name);
  add_statements(workload, depth - 1, 2);
  if (exits > 0) {
    add(workload, "if (");
    add_expression(workload, 1);
    add(workload, ") %s;\n", exits == 1 ? "break" : "continue");
  }
  add(workload, "}\n");
}

static void add_while(struct workload *workload, int depth) {
  int name = workload->name_count++, limit = 1 + choose(workload, 4);
  add(workload, "{ int n%d = %d;\ndo {\n", name, limit);
  add_statements(workload, depth - 1, 1);
  add(workload, "} while (n%d-- > 0); }\n", name);
}

static void add_switch(struct workload *workload, int depth) {
  int cases = 2 + choose(workload, 7);
  add(workload, "switch ((");
  add_expression(workload, 2);
  add(workload, ") & 7) {\n");
  for (int i = 0; i < cases; i++) {
    add(workload, "case %d:\n", i);
    add_statements(workload, depth - 1, 1);
    if (choose(workload, 3))
      add(workload, "break;\n");
  }
  add(workload, "default: v1 ^= %d;\n}\n", choose(workload, 1000));
}

static void add_if(struct workload *workload, int depth) {
  add(workload, "if (");
  add_expression(workload, 2);
  add(workload, ") {\n");
  add_statements(workload, depth - 1, 2);
  if (choose(workload, 2)) {
    add(workload, "} else {\n");
    add_statements(workload, depth - 1, 2);
  }
  add(workload, "}\n");
}

static void add_update(struct workload *workload) {
  static const char *const operators[] = {" += ", " -= ", " ^= ", " |= ", " &= ", " *= "};
  int choice = choose(workload, 8);
  if (choice < 2) {
    add(workload, choice ? "++" : "--");
    add_object(workload);
  } else if (choice < 3) {
    add(workload, "v2 = v3++ - --u0");
  } else {
    add_object(workload);
    add(workload, "%s", operators[choose(workload, 6)]);
    add_expression(workload, 2);
  }
  add(workload, ";\n");
}

static void add_floating(struct workload *workload) {
  int target = choose(workload, 2), source = choose(workload, 2), digits = choose(workload, 100);
  switch (choose(workload, 4)) {
  case 0:
    add(workload, "d%d = d%d * 0.%02d + (double)((", target, source, digits);
    add_expression(workload, 2);
    add(workload, ") & 1023);\n");
    break;
  case 1:
    add(workload, "d%d = (d%d - d%d) / (%d.5 + d%d * d%d);\n", target, source, target, digits,
        source, source);
    break;
  case 2:
    add(workload, "if (d%d < d%d * 0.75 || d0 == d1) ", target, source);
    add(workload, "v%d += (long)d%d;\n", choose(workload, 4), source);
    break;
  default:
    add(workload, "g0 = (float)d%d * 0.25f; v1 += (unsigned)(int)g0; d%d = -g0;\n", source, target);
    break;
  }
}

/* Pointers, structures as wholes, and arrays with initialisers. */
static void add_structure(struct workload *workload) {
  int name = workload->name_count++, first = choose(workload, 100), second = choose(workload, 100);
  int target = choose(workload, 4), index = choose(workload, 3);
  switch (choose(workload, 5)) {
  case 0:
    add(workload, "{ struct s0 t%d = *p; t%d.l += ", name, name);
    add_expression(workload, 2);
    add(workload, "; *p->next = t%d; p->next->next = p; }\n", name);
    break;
  case 1:
    add(workload, "{ int w%d[] = {%d, %d, v%d}; v%d += w%d[%d] * sizeof w%d; }\n", name, first,
        second, index, target, name, index, name);
    break;
  case 2:
    add(workload, "q = &table[v%d %% %d]; *q += %d;\n", target, TABLE_SIZE, first);
    break;
  case 3:
    add(workload, "p = p->next; v%d ^= p->next == p;\n", target);
    break;
  default:
    add(workload, "{ struct pair k%d = make_pair(v%d, %d); v%d = k%d.x - swap_pair(k%d).x; }\n",
        name, target, first, index, name, name);
    break;
  }
}

static void add_statements(struct workload *workload, int depth, int count) {
  for (int i = 0; i < count; i++) {
    int choice = choose(workload, 16);
    if (depth > 0 && choice < 2) {
      add_loop(workload, depth);
    } else if (depth > 0 && choice < 4) {
      add_if(workload, depth);
    } else if (depth > 0 && choice < 5) {
      add_switch(workload, depth);
    } else if (depth > 0 && choice < 6) {
      add_while(workload, depth);
    } else if (choice < 8) {
      add_update(workload);
    } else if (choice < 10) {
      add_floating(workload);
    } else if (choice < 11) {
      add_structure(workload);
    } else {
      add_object(workload);
      add(workload, " = ");
      add_expression(workload, EXPRESSION_DEPTH);
      add(workload, ";\n");
    }
  }
}

static void add_function(struct workload *workload, int index) {
  static const char *const classes[] = {"static ", ""};
  const char *class = classes[choose(workload, 2)];
  int first = choose(workload, 1000), second = choose(workload, 100);
  add(workload, "%sunsigned long f%d(long a, unsigned b, struct s0 *p, double d1) {\n", class,
      index);
  add(workload, "unsigned long v0 = a, v1 = b, v2 = %d, v3 = p->l;\nunsigned u0 = b, u1 = a;\n",
      first);
  add(workload, "short s0 = v0;\nsigned char c0 = %d;\ndouble d0 = d1 * 0.5;\nfloat g0 = 1.5f;\n",
      second);
  add(workload, "long *q = &table[%d];\n", second % TABLE_SIZE);
  add(workload, "static int count = %d;\n", second);
  add_statements(workload, STATEMENT_DEPTH, 5);
  if (index > 0) {
    add(workload, "v0 += f%d(v1, v2 + count++, p->next, ", choose(workload, index));
    add(workload, choose(workload, 2) ? "d0 * 0.125);\n" : "v3 & 255);\n");
  }
  add_statements(workload, STATEMENT_DEPTH, 2);
  add(workload, "*q ^= v0;\nreturn v0 + v1 * 3 + v2 * 5 + v3 * 7 + u0 + u1 + s0 + c0 + (long)(d0 + "
                "d1 + g0);\n}\n\n");
}

char *workload_generate(unsigned seed, int function_count) {
  struct workload workload = {NULL, 0, 0, seed * 2654435761u + 1, 0};
  add(&workload, "int printf(const char *format, ...);\n");
  add(&workload, "struct s0 { int i; long l; unsigned u; unsigned char c; short s; struct s0 "
                 "*next; short e[4]; };\n");
  add(&workload, "struct pair { long x, y; int z; };\n");
  add(&workload, "static long table[%d] = {1, 2, 3, [7] = 5, 8};\n", TABLE_SIZE);
  add(&workload,
      "static struct s0 second, first = {1, 2, .c = 'x', .next = &second, .e = {3, 4}};\n");
  add(&workload, "static struct pair make_pair(long x, long y) { struct pair p = {x, y}; p.z = x; "
                 "return p; }\n");
  add(&workload,
      "static struct pair swap_pair(struct pair p) { return make_pair(p.y, p.x + p.z); }\n\n");
  for (int i = 0; i < function_count; i++)
    add_function(&workload, i);
  add(&workload,
      "static unsigned long (*const functions[])(long, unsigned, struct s0 *, double) = {\n");
  for (int i = 0; i < function_count; i++)
    add(&workload, "f%d,\n", i);
  add(&workload, "0 };\n\nint main(void) {\n");
  add(&workload, "unsigned long sum = 0;\nsecond.next = &first;\n");
  add(&workload, "for (int i = 0; functions[i]; i++)\nsum = sum * 31 + functions[i](i, sum, "
                 "&first, i * 0.5);\n");
  add(&workload, "printf(\"%%lu\\n\", sum);\nreturn 0;\n}\n");
  return workload.text;
}
