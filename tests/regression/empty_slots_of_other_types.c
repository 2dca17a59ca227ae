// A place was no longer known to be empty when any variable or element was assigned, of whatever
// type or member: filling it drew a warning of a leak.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  int value;
};
struct crate {
  char *unique first;
  char *unique shelf[3];
};
char *unique make(void);
struct node *unique make_node(void);
static struct node *unique front;
static char *unique title;

void of_another_type(char *unique *acre_out out) {
  free(acre_swap(&front, make_node()));
  *out = make();
}
void of_the_same(char *unique *acre_out out) {
  free(acre_swap(&title, make()));
  *out = make(); // expected-warning {{'*out' may be overwritten}}
}
void of_an_array_beside(struct crate *borrowed c) {
  free(acre_take(&c->first));
  free(acre_swap(&c->shelf[2], make()));
  c->first = make();
}
void of_another_structure(struct crate *borrowed c, struct crate *borrowed d) {
  free(acre_take(&c->first));
  d->first = make(); // expected-warning {{'d->first' may be overwritten}}
  free(acre_swap(&c->first, make()));
  c->first = make(); // expected-warning {{'c->first' may be overwritten}}
}
