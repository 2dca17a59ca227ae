/* SPDX-License-Identifier: MIT */
/* plan.c - reads configurations. */
#define _GNU_SOURCE
#include "plan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  region memory;
  const char *path;
  unsigned line;
  bool is_wrong;
};

static const char blanks[] = " \t\r\n";

/* The kinds by their names.  A number is at most `most`; 0: the argument is a text. */
static const struct kind {
  const char *name;
  enum operation_kind kind;
  enum port_kind port;
  bool has_argument;
  uint64_t least, most;
} kinds[] = {{"udp-in", OPERATION_PORT, PORT_UDP_IN, true, 0, 0},
             {"tcp-in", OPERATION_PORT, PORT_TCP_IN, true, 0, 0},
             {"udp-out", OPERATION_PORT, PORT_UDP_OUT, true, 0, 0},
             {"tcp-out", OPERATION_PORT, PORT_TCP_OUT, true, 0, 0},
             {"number", OPERATION_NUMBER, 0, false, 0, 0},
             {"strip", OPERATION_STRIP, 0, true, 0, PACKET_MAX},
             {"prepend", OPERATION_PREPEND, 0, true, 0, 0},
             {"xor", OPERATION_XOR, 0, true, 0, 255},
             {"every", OPERATION_EVERY, 0, true, 1, UINT32_MAX},
             {"split", OPERATION_SPLIT, 0, true, 1, PACKET_MAX},
             {"join", OPERATION_JOIN, 0, true, 1, PACKET_MAX}};

__attribute__((format(printf, 2, 3))) static void complain(struct reader *reader,
                                                           const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "overlay: %s:%u: ", reader->path, reader->line);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  reader->is_wrong = true;
}

/* The next word at *place, which goes past it; null if there is none. */
static char *take_word(char **place) {
  char *word = *place + strspn(*place, blanks);
  size_t length = strcspn(word, blanks);
  *place = word + length + (word[length] != 0);
  word[length] = 0;
  return length ? word : NULL;
}

static struct operation *find(const struct plan *plan, const char *name) {
  for (size_t i = 0; i < plan->count; i++)
    if (strcmp(plan->operations[i]->name, name) == 0)
      return plan->operations[i];
  return NULL;
}

static const struct kind *find_kind(const char *name) {
  for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}

static void read_argument(struct reader *reader, struct operation *operation,
                          const struct kind *kind, const char *text) {
  char *end;
  if (!text || strcmp(text, "->") == 0) {
    complain(reader, "%s needs an argument", kind->name);
    return;
  }
  operation->text = rstrdup(reader->memory, text);
  if (!kind->most)
    return;
  errno = 0;
  uint64_t number = strtoull(text, &end, 10);
  operation->argument = number;
  if (*text < '0' || *text > '9' || *end || errno || number < kind->least || number > kind->most)
    complain(reader, "%s needs a number from %llu to %llu, not '%s'", kind->name,
             (unsigned long long)kind->least, (unsigned long long)kind->most, text);
}

static bool has_port(const struct plan *plan, enum port_kind kind, const char *address) {
  for (size_t i = 0; i < plan->count; i++) {
    const struct port *port = plan->operations[i]->port;
    if (port && port->kind == kind && strcmp(port->address, address) == 0)
      return true;
  }
  return false;
}

/* What is on the line after its name. */
static void read_operation(struct reader *reader, const struct plan *plan,
                           struct operation *operation, const struct kind *kind, char *rest) {
  char *place = rest;
  if (kind->has_argument)
    read_argument(reader, operation, kind, take_word(&place));
  if (kind->kind == OPERATION_PORT && !reader->is_wrong) {
    bool is_new = !has_port(plan, kind->port, operation->text);
    struct port *refcounted port = is_new ? port_new(kind->port, operation->text) : NULL;
    if (!port)
      complain(reader, "'%s' is there before, or too long", operation->text);
    rc_drop(acre_swap(&operation->port, port));
  }
  const char *arrow = take_word(&place);
  if (arrow && strcmp(arrow, "->") != 0)
    complain(reader, "'->' is expected, not '%s'", arrow);
  if (arrow && port_is_output(kind->port) && kind->kind == OPERATION_PORT)
    complain(reader, "nothing comes after an output");
  operation->successors = rstrdup(reader->memory, arrow ? place : "");
}

static void read_line(struct reader *reader, struct plan *plan, char *line) {
  char *place = line;
  const char *name = take_word(&place), *word = name ? take_word(&place) : NULL;
  const struct kind *kind = find_kind(word);
  if (!name || *name == '#')
    return;
  if (!kind) {
    complain(reader, "there is no operation '%s'", word ? word : "");
  } else if (find(plan, name)) {
    complain(reader, "there are two operations '%s'", name);
  } else if (plan->count == OPERATIONS_MAX) {
    complain(reader, "there are more than %d operations", OPERATIONS_MAX);
  } else {
    struct operation *operation = ralloc(reader->memory, struct operation);
    operation->kind = kind->kind;
    operation->line = reader->line;
    operation->name = rstrdup(reader->memory, name);
    plan->operations[plan->count++] = operation;
    read_operation(reader, plan, operation, kind, place);
  }
}

static void link_operation(struct reader *reader, const struct plan *plan,
                           struct operation *operation) {
  char *place = operation->successors;
  reader->line = operation->line;
  for (const char *name; (name = take_word(&place)) != NULL;) {
    struct operation *next = find(plan, name);
    if (!next)
      complain(reader, "there is no '%s'", name);
    else if (next->port && !port_is_output(next->port->kind))
      complain(reader, "'%s' is an input", name);
    else if (operation->next_count == SUCCESSORS_MAX)
      complain(reader, "more than %d operations come after '%s'", SUCCESSORS_MAX, operation->name);
    else
      operation->next[operation->next_count++] = next;
  }
}

/* Whether a path from operation comes back to it. */
static bool is_cyclic(struct operation *operation) {
  if (operation->visit != VISIT_NONE)
    return operation->visit == VISIT_BEGUN;
  operation->visit = VISIT_BEGUN;
  bool is_so = false;
  for (size_t i = 0; !is_so && i < operation->next_count; i++)
    is_so = is_cyclic(operation->next[i]);
  operation->visit = VISIT_DONE;
  return is_so;
}

static void link_plan(struct reader *reader, const struct plan *plan) {
  for (size_t i = 0; i < plan->count; i++)
    link_operation(reader, plan, plan->operations[i]);
  for (size_t i = 0; i < plan->count && !reader->is_wrong; i++)
    if (is_cyclic(plan->operations[i])) {
      reader->line = plan->operations[i]->line;
      complain(reader, "'%s' comes after itself in some way", plan->operations[i]->name);
    }
  if (!plan->count && !reader->is_wrong)
    complain(reader, "there are no operations");
}

void plan_drop(struct plan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    struct operation *operation = plan->operations[i];
    struct port *refcounted port = acre_take(&operation->port);
    if (port)
      port_drop(port);
    streambuff_free(acre_take(&operation->held));
  }
}

struct plan *plan_read(region memory, const char *path) {
  struct reader reader = {.memory = memory, .path = path};
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "overlay: %s: %s\n", path, strerror(errno));
    return NULL;
  }
  struct plan *plan = ralloc(memory, struct plan);
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, file) >= 0) {
    reader.line++;
    read_line(&reader, plan, line);
  }
  free(line);
  if (ferror(file))
    complain(&reader, "cannot be read");
  fclose(file);
  link_plan(&reader, plan);
  if (!reader.is_wrong)
    return plan;
  plan_drop(plan);
  return NULL;
}
