// Functions whose bodies are seen need no word, also those of other files' use: what they call
// takes nothing out of memory. The rejected twins are in callees_seen_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct list {
  struct node *unique head;
};
static struct list all;

size_t length(struct node *p) { return p ? 1 + length(p->next) : 0; }
int is_odd(struct node *p);
int is_even(struct node *p) { return p ? is_odd(p->next) : 1; }
int is_odd(struct node *p) { return p ? is_even(p->next) : 0; }
struct node *find(struct node *p, int value) {
  return !p || p->value == value ? p : find(p->next, value);
}

void show(const struct node *p);
void show_each(struct node *p) {
  for (struct node *n = p->next; n; n = n->next)
    show(n);
}
void show_all(void) {
  show(all.head);
  for (struct node *n = all.head; n; n = n->next)
    show(n);
}
void show(const struct node *p) {
  assert(p->name);
  printf("%s\n", p->name);
}
int compare(const char *a, const char *b) { return strcmp(a, b); }
int have_one_name(struct node *p, struct node *q) { return compare(p->name, q->name); }
void set(struct node *p) { p->value = 1; }
void set_each(struct list *l) {
  for (struct node *n = l->head; n; n = n->next)
    set(n);
}
int in_one_expression(struct node *p) {
  struct node *n = p->next;
  return n ? n->value + (int)length(n->next) : 0;
}
int of_an_owner(struct node *unique p) {
  struct node *n = p->next;
  size_t all_of_it = length(p);
  int result = n ? n->value + (int)all_of_it : 0;
  free(p);
  return result;
}
/* A loan that ends at a call is none of its business if it is not used after. */
void other(void);
void ended_unused(struct node *p) {
  struct node *n = p->next;
  show(n);
  other();
}
void empty(char *block) { (void)block; }
void with_a_cleanup(struct node *p) {
  __attribute__((cleanup(empty))) char block = 0;
  (void)block;
  show(p);
}
void lends_to_it(struct node *p) { with_a_cleanup(p->next); }
