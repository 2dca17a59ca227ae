// What was lent from a nested structure or an array ended when another slot of the same object
// changed: only members of the object itself were told apart.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct item {
  char *unique name;
  int value;
};
struct crate {
  struct pair inner;
  char *unique shelf[3];
  struct item *unique top;
};
char *unique make(void);

int beside_nested(struct crate *borrowed c) {
  const struct item *top = c->top;
  free(acre_swap(&c->inner.first, make()));
  return top ? top->value : 0;
}
int beside_an_element(struct crate *borrowed c) {
  const char *first = c->inner.first;
  free(acre_swap(&c->shelf[2], make()));
  return first ? *first : 0;
}
int within_nested(struct crate *borrowed c) {
  const char *second = c->inner.second;
  free(acre_swap(&c->inner.first, make()));
  return second ? *second : 0;
}
int in_a_variable(void) {
  struct crate c = {0};
  c.inner.second = make();
  const char *second = c.inner.second;
  free(acre_take(&c.inner.first));
  int value = second ? *second : 0;
  free(acre_take(&c.inner.second));
  return value;
}

int same_nested(struct crate *borrowed c) {
  const char *first = c->inner.first;
  free(acre_swap(&c->inner.first, make()));
  return first ? *first : 0; // expected-error {{'first' is used after 'c'}}
}
int some_element(struct crate *borrowed c, int i) {
  const char *one = c->shelf[i];
  free(acre_swap(&c->shelf[2], make()));
  return one ? *one : 0; // expected-error {{'one' is used after 'c'}}
}
int under_another_type(struct crate *borrowed c) {
  const char *first = c->inner.first;
  free(acre_swap(&((struct pair *)c)->first, make()));
  return first ? *first : 0; // expected-error {{'first' is used after 'c'}}
}
int taken_below(struct crate *borrowed c) {
  const char *name = c->top ? c->top->name : NULL;
  free(acre_take(&c->top)); // expected-warning 0+ {{}}
  return name ? *name : 0; // expected-error {{'name' is used after 'c'}}
}
