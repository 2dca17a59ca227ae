// A pointer borrowed from below one reference survived the drop of what hangs there through another
// reference.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique held;
  int value;
};

int through_another_reference(void) {
  struct node *refcounted one = rc_new(struct node), *refcounted other = rc_alias(one);
  struct node *below = one->held;
  acre_drop(acre_take(&other->held)); // expected-note {{lost here}}
  int value = below ? below->value : 0;
  // expected-error@-1 {{'below' is used after what it was borrowed from was consumed or changed}}
  rc_drop(one);
  rc_drop(other);
  return value;
}
int before_anything_changes(struct node *refcounted one) {
  struct node *below = one->held;
  int value = below ? below->value : 0;
  rc_drop(one);
  return value;
}
