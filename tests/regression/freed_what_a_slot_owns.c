// What a unique pointer in memory owns was freed through a plain copy of it, and so twice.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
struct node {
  struct node *unique next;
};
static struct node *unique list;
void of_a_global(void) {
  struct node *first = list;
  free(first); // expected-error {{made unique or freed could be used after its owner is gone}}
}
void of_a_parameter(struct node *n) {
  struct node *next = n->next;
  free(next); // expected-error {{made unique or freed could be used after its owner is gone}}
}
void taken(struct node *n) {
  free(acre_take(&n->next));
  struct node *unique first = acre_take(&list);
  free(first); // expected-warning {{'first' is freed with what 'first->next' may own}}
}
