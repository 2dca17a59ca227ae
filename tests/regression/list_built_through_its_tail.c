// The address of an owner in a local variable was an error, so lists could not be built or merged
// at their ends.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify %s
#include <acre/own.h>
#include <stdlib.h>
struct node {
  struct node *unique next;
  int value;
};
struct node *unique merged(struct node *unique a, struct node *unique b) {
  struct node *unique r = NULL;
  struct node *unique *t = &r;
  while (a && b) {
    if (a->value <= b->value) {
      struct node *unique n = acre_take(&a->next);
      *t = a;
      a = n;
    } else {
      struct node *unique n = acre_take(&b->next);
      *t = b;
      b = n;
    }
    t = &(*t)->next;
  }
  *t = acre_take(&a);
  while (*t)
    t = &(*t)->next;
  *t = b;
  return r;
}
struct node *unique freed_below(struct node *unique a, struct node *unique b) {
  struct node *unique *t = &a;
  while (*t)
    t = &(*t)->next;
  acre_drop(acre_take(&a));
  *t = b;
  // expected-error@-1 {{'t' is used after 'a', which it was borrowed from, was consumed or \
changed}}
  // expected-note@-4 {{lost here}}
  return a;
}
