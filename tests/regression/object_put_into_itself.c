// An object could be put into a slot of its own, named through a borrower, where nobody reaches or
// frees it.
// RUN: %frontend -fsyntax-only -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique held;
};

void swapped(struct node *unique n) {
  struct node *place = n;
  acre_drop(acre_swap(&place->held, n));
  // expected-error@-1 {{'n' is put into what it owns itself}}
}
void assigned(struct node *unique n) {
  struct node *place = n->held;
  // expected-warning@+1 {{'place->held' may be overwritten}}
  place->held = n; // expected-error {{'n' is put into what it owns itself}}
}
void into_another(struct node *unique n, struct node *unique other) {
  struct node *place = n;
  acre_drop(acre_swap(&place->held, other));
  acre_drop(n);
}
