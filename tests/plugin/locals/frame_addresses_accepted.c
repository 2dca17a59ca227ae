// Addresses of local variables that do not outlive them, or of which that is not certain;
// frame_addresses_rejected.c has the rejected twins.
// RUN: %frontend -fsyntax-only -Werror -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int values[4];
};
void look(struct node *borrowed n);
struct node *find(struct node *borrowed n);
static struct node *global;
static char *text;

int used_while_it_lives(void) {
  struct node n = {0};
  struct node *p = &n;
  look(p);
  return p->values[0];
}
char *unique copied(int n) {
  char buffer[16], *end = buffer;
  snprintf(end, sizeof buffer, "%d", n);
  return strdup(end);
}
/* A buffer that suffices in most cases. */
char *large_or_small(size_t n) {
  char buffer[16], *p = buffer;
  if (n > sizeof buffer)
    p = strdup("");
  memset(p, 0, n);
  if (p != buffer)
    return p;
  return NULL;
}
int pointer_to_one_of_two(int c, struct node *borrowed other) {
  struct node *p = other;
  {
    struct node n = {0};
    if (c)
      p = &n;
    look(p);
    p = other;
  }
  return p->values[0];
}
/* A chain of contexts on the stack, undone before the function returns. */
void chained(void) {
  struct node n = {global, {0}};
  global = &n;
  look(&n);
  global = n.next;
}
void set_back_at_once(void) {
  char buffer[4] = "";
  text = buffer;
  text = NULL;
}
void perhaps_set_back_by_a_call(void) {
  struct node n = {0};
  global = &n;
  look(&n);
}
void set_back_on_the_same_condition(int c) {
  char buffer[4] = "";
  if (c)
    text = buffer;
  if (c)
    text = NULL;
}
struct node *result_of_another(void) {
  struct node n = {0};
  return find(&n);
}
int *in_static_memory(int i) {
  static int values[4];
  int *p = values;
  return p + i;
}
struct node by_value(void) {
  struct node n = {0}, *p = &n;
  p->values[0] = 1;
  return *p;
}
int in_each_round(int n) {
  int sum = 0;
  for (int *p; n--; sum += *p) {
    static int square;
    square = n * n;
    p = &square;
  }
  return sum;
}
struct node *pointer_in_a_local(struct node *p) {
  struct node *local = p, **where = &local;
  return *where;
}

// -- By way of functions of which it is not certain what they give back, and objects without a name
// ---------------------

static int *other_number;
void see_numbers(int *p);
int *one_of(int *p, int *q) { return p ? p : q; }
int *another(int *p) {
  p = other_number;
  return p;
}
__attribute__((weak)) int *weakly(int *p) { return p; }
int *defined_later(int *p);
int *perhaps_returned(int *given) {
  int n = 0;
  return one_of(&n, given);
}
int *not_returned(void) {
  int n = 0;
  return another(&n);
}
int *returned_by_a_weak_function(void) {
  int n = 0;
  return weakly(&n);
}
int *returned_by_a_later_function(void) {
  int n = 0;
  return defined_later(&n);
}
int *defined_later(int *p) { return p; }
void left_and_called(void) {
  global = &(struct node){0};
  look(global);
}
void left_and_reset(void) {
  global = &(struct node){0};
  global = NULL;
}
void lent_without_a_name(int n) {
  int *p = (int[]){1, 2};
  see_numbers(p);
  see_numbers(__builtin_alloca(sizeof(int) * (size_t)n));
}
static struct node *const of_the_file = &(struct node){0};
struct node *literal_of_the_file(void) { return of_the_file; }
int read_from_a_literal(void) { return *(int[]){1, 2}; }
struct node copied_literal(void) { return (struct node){0}; }
