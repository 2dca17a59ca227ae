// memset over what a global variable owned, or over what the function had put into a structure
// that it was lent, was silent, as was a list there; after a function that had emptied a global
// structure a list was reported.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char *unique first, *unique second;
};
char *unique make(void);
struct pair make_pair(void);
static struct pair spare;
static void clear_pair(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}

void global_cleared(void) {
  memset(&spare, 0, sizeof spare); // expected-warning {{'spare.first' may be overwritten}}
}
void local_cleared(void) {
  struct pair p = make_pair();
  memset(&p, 0, sizeof p); // expected-warning {{'p.first' may be overwritten}}
}
void own_cleared(struct pair *unique p) {
  if (p) {
    p->second = make();
    memset(p, 0, sizeof *p); // expected-warning {{'p->second' may be overwritten}}
  }
  free(p);
}
void parameter_cleared(struct pair *borrowed p) {
  free(acre_swap(&p->first, make()));
  memset(p, 0, sizeof *p); // expected-warning {{'p->first' may be overwritten}}
}
struct crate {
  int kind;
  struct pair inner;
};
void part_set(struct crate *borrowed c) {
  c->inner = make_pair(); // expected-warning {{'c->inner.first' may be overwritten}}
}
void parameter_set(struct pair *borrowed p) {
  free(acre_swap(&p->first, make()));
  *p = (struct pair){0}; // expected-warning {{'p->first' may be overwritten}}
}

void emptied(void) {
  clear_pair(&spare);
  memset(&spare, 0, sizeof spare);
  spare.first = make();
}
void emptied_and_set(void) {
  clear_pair(&spare);
  spare = (struct pair){0};
  spare.second = make();
}
void part_emptied(struct crate *borrowed c) {
  clear_pair(&c->inner);
  c->inner = make_pair();
}
void local_emptied(void) {
  struct pair p = make_pair();
  clear_pair(&p);
  memset(&p, 0, sizeof p);
  p.first = make();
  clear_pair(&p);
}
void own_begun(void) {
  struct pair *unique p = malloc(sizeof *p);
  if (p)
    memset(p, 0, sizeof *p);
  acre_drop(p);
}
void parameter_begun(struct pair *borrowed p) { memset(p, 0, sizeof *p); }
