// Addresses of local variables that do not outlive them, or of which that is not certain; frame_addresses_rejected.c has
// the rejected twins.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Werror -Xclang -verify %s
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
