// What hangs on an object was lent beside it if its own type owns nothing, although the callee may
// free it by way of the object.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  char *unique name;
  int value;
};

static void rename_node(struct node *borrowed n, const char *borrowed name) {
  free(acre_swap(&n->name, NULL));
  puts(name);
}
static void set_value(struct node *borrowed n, int *borrowed value) { *value = n->value + 1; }

void rename_to_itself(struct node *unique n) {
  set_value(n, &n->value);
  rename_node(n, n->name); // expected-error {{'n' is lent by another argument of the same call}}
  acre_drop(n);
}
