// What an allocation or a drop names its type with was taken for a call of a function that might
// change anything.
// RUN: %frontend -fsyntax-only -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/scope.h>
#include <stdlib.h>

struct node {
  struct node *unique held;
  int value;
};
static struct node *unique shared;
static struct node *global;

int look_while_others_go(struct node *unique n) {
  const struct node *below = shared;
  acre_drop(n);
  rc_drop(rc_new(struct node));
  return below ? below->value : 0;
}
void left_while_memory_is_made(void) {
  acre_scoped_region(r);
  struct node n = {0};
  global = &n; // expected-error {{the address of the local variable 'n' is left in 'global'}}
  ralloc(r, struct node)->value = 1;
}
