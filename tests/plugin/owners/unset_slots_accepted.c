// Owning fields that are set before they are used, one by one or as a whole; the twins of
// unset_slots_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char *unique first, *unique second;
  int number;
};
struct nested {
  int kind;
  struct pair inside;
  struct pair *unique next;
};
struct tagged {
  int kind;
  struct pair *unique next;
  struct pair plain[2];
};
int maybe(void);
void fill(char *unique *slot);
void show(const struct pair *borrowed p);
void pair_init(struct pair *borrowed p);
void use(struct nested *unique n);

void with_an_initializer(void) {
  struct pair p = {.number = 1};
  fill(&p.first);
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}
void cleared(void) {
  struct pair p;
  memset(&p, 0, sizeof p);
  free(acre_take(&p.first));
}
void assigned_whole(void) {
  struct pair p;
  p = (struct pair){0};
  show(&p);
  free(acre_take(&p.second));
}
void initialized_by_a_function(void) {
  struct pair p;
  pair_init(&p);
  free(acre_take(&p.second));
}
void one_by_one(void) {
  struct nested n;
  n.inside.first = NULL;
  free(acre_take(&n.inside.first));
  if (maybe())
    n.next = NULL;
  else
    n.next = calloc(1, sizeof *n.next);
  acre_drop(acre_take(&n.next));
}
void through_a_pointer(void) {
  struct pair p, *q = &p;
  q->first = NULL;
  free(acre_take(&p.first));
}
void array(int n) {
  char *unique all[4], *unique more[n];
  for (int i = 0; i < 4; i++)
    all[i] = strdup("text");
  for (int i = 0; i < n; i++)
    more[i] = strdup("text");
  for (int i = 0; i < 4; i++)
    free(acre_take(&all[i]));
  for (int i = 0; i < n; i++)
    free(acre_take(&more[i]));
}
void array_by_a_cursor(void) {
  struct pair all[3];
  for (struct pair *p = all; p < all + 3; p++)
    p->first = p->second = NULL;
  for (int i = 0; i < 3; i++)
    free(acre_take(&all[i].first));
}
void freed_only(void) {
  struct pair *unique p = malloc(sizeof *p);
  free(p);
}
void dropped_when_set(void) {
  struct nested *unique n = malloc(sizeof *n);
  if (!n)
    return;
  n->inside = (struct pair){0};
  n->next = NULL;
  acre_drop(n);
}
void allocated_with_zeros(void) {
  struct nested *unique n = calloc(1, sizeof *n);
  acre_drop(n);
}
void set_if_there(void) {
  struct pair *unique p = malloc(sizeof *p);
  if (p) {
    p->first = NULL;
    p->second = strdup("");
  }
  acre_drop(p);
}
struct pair *unique set_by_the_receiver(void) {
  struct pair *unique p = malloc(sizeof *p);
  if (p)
    pair_init(p);
  return p;
}
