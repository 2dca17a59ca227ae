// A call that might have emptied one slot of a parameter's object silenced the slots beside it:
// what they lost was not told.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
  int kind;
};
struct crate {
  struct pair inner;
  char *unique shelf[3];
  struct node *unique top;
};
struct node {
  char *unique name;
  struct crate *around;
};
char *unique make(void);
void refill(char *unique *borrowed slot);
void change(struct pair *borrowed p);
void visit(struct node *borrowed n);
extern struct pair spare;

void beside(struct pair *borrowed p) {
  refill(&p->first);
  p->second = make(); // expected-warning {{'p->second' may be overwritten}}
}
void beside_in_a_plain_parameter(struct pair *p) {
  refill(&p->first);
  p->second = make(); // expected-warning {{'p->second' may be overwritten}}
}
void beside_in_a_global(void) {
  refill(&spare.first);
  spare.second = make(); // expected-warning {{'spare.second' may be overwritten}}
}
void beside_the_part(struct crate *borrowed c) {
  change(&c->inner);
  c->shelf[0] = make(); // expected-warning {{'c->shelf[0]' may be overwritten}}
}
void another_element(struct crate *borrowed c, int i) {
  refill(&c->shelf[1]);
  c->shelf[0] = make(); // expected-warning {{'c->shelf[0]' may be overwritten}}
  c->shelf[i] = make();
}
int loan_of_another_element(struct crate *borrowed c) {
  const char *zero = c->shelf[0], *one = c->shelf[1];
  free(acre_take(&c->shelf[1]));
  return zero[0] + one[0]; // expected-error {{'one' is used after}}
}

void the_same(struct pair *borrowed p) {
  refill(&p->first);
  p->first = make();
}
void emptied_before(struct pair *borrowed p) {
  free(acre_take(&p->second));
  refill(&p->first);
  p->second = make();
}
void in_the_part(struct crate *borrowed c) {
  change(&c->inner);
  c->inner.first = make();
}
void with_a_way_back(struct crate *borrowed c) {
  visit(c->top);
  c->inner.first = make();
}
