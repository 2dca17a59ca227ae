// A structure that got the values of a list lost what it owned without a word, and so did a global
// one; what such a list, or a nested one, had put there was not known to be lost either.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct crate {
  int kind;
  struct pair inner;
};
char *unique make(void);
struct pair make_pair(void);
static struct pair spare;

void overwritten(void) {
  struct pair p = {make(), NULL};
  p = (struct pair){0}; // expected-warning {{'p' may be overwritten}}
}
void put_by_a_list(void) {
  struct pair p;
  p = (struct pair){.second = make()};
} // expected-warning {{'p.second' may be lost}}
void put_by_a_nested_list(void) {
  struct crate c = {1, {make(), NULL}};
} // expected-warning {{'c.inner.first' may be lost}}
void nested_overwritten(void) {
  struct crate c = {0};
  c.inner.second = make();
  c.inner = (struct pair){make(), NULL}; // expected-warning {{'c.inner' may be overwritten}}
  free(acre_take(&c.inner.first));
}
void global_overwritten(void) {
  spare = make_pair(); // expected-warning {{'spare.first' may be overwritten}}
}
void global_cleared(void) {
  free(acre_take(&spare.first));
  spare = (struct pair){0}; // expected-warning {{'spare.second' may be overwritten}}
}

void emptied(void) {
  struct pair p = {make(), NULL};
  free(acre_take(&p.first));
  p = (struct pair){make(), make()};
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}
void moved_along(void) {
  struct pair p = {make(), NULL};
  p = (struct pair){NULL, acre_take(&p.first)};
  free(acre_take(&p.second));
}
void global_emptied(void) {
  free(acre_take(&spare.first));
  free(acre_take(&spare.second));
  spare = (struct pair){0};
  spare.first = make();
}
void begun(struct pair *borrowed p) { *p = (struct pair){make(), NULL}; }
