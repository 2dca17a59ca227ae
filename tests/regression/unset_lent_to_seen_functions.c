// A structure that was never set was lent to a function that looks at its owners, and the compiler
// began it with zeros in silence, though it had seen the function.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
  int kind;
};
char *unique make(void);
void change_pair(struct pair *borrowed p);
static void clear_pair(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static void clear_later(struct pair *borrowed p) { clear_pair(p); }
static int has_first(struct pair *borrowed p) { return p->first != NULL; }
static void set_kind(struct pair *borrowed p) { p->kind = 1; }
static void begin(struct pair *borrowed p) {
  p->first = make();
  p->second = NULL;
  p->kind = 0;
}

void taken(void) {
  struct pair p;
  clear_pair(&p); // expected-error {{'p.first' is used before it is}}
}
void taken_further_down(void) {
  struct pair p;
  clear_later(&p); // expected-error {{'p.first' is used before it is}}
}
int read_half_set(void) {
  struct pair p;
  p.second = NULL;
  return has_first(&p); // expected-error {{'p.first' is used before it is}}
}

static void swap_first(struct pair *borrowed p, int way) {
  if (way)
    free(acre_swap(&p->first, make()));
}
void swapped(int way) { // as what may have been set: it begins with null
  struct pair p;
  swap_first(&p, way);
  clear_pair(&p);
}
void begun(void) {
  struct pair p;
  begin(&p);
  clear_pair(&p);
}
void not_looked_at(void) {
  struct pair p;
  set_kind(&p);
  p.first = make();
  p.second = NULL;
  clear_pair(&p);
}
void set_by_who_knows(void) {
  struct pair p;
  change_pair(&p);
  clear_pair(&p);
}
