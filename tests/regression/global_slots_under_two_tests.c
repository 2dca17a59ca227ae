// What one test of an owner tells of a slot elsewhere was forgotten at the next: a global slot that
// was emptied under the first and set under the second drew the warning that it is overwritten.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>

struct item {
  struct item *unique next;
};
struct pair {
  char *unique first, *unique second;
};
char *unique make(void);
void stranger(void);
static struct item *unique front;
static char *unique name;

void moved_back(struct item *unique n) {
  if (n)
    n->next = acre_take(&front);
  if (n)
    front = acre_take(&n->next);
  free(n);
}
void by_a_flag(struct pair *borrowed p, bool renew) {
  if (renew)
    free(acre_take(&p->first));
  free(acre_swap(&p->second, make()));
  if (renew)
    p->first = make();
}
void by_a_number(int which) {
  if (which == 3)
    free(acre_take(&name));
  if (which == 3)
    name = make();
}

// Not where the variable has another value, nor where the slot was set in between.
void changed(int which) {
  if (which == 3)
    free(acre_take(&name));
  which++;
  if (which == 3)
    name = make(); // expected-warning {{'name' may be overwritten}}
}
void set_again(struct pair *borrowed p, bool renew) {
  if (renew)
    free(acre_take(&p->first));
  if (!p->second)
    free(acre_swap(&p->first, make()));
  if (renew)
    p->first = make(); // expected-warning {{'p->first' may be overwritten}}
}
void otherwise(int which) {
  if (which == 3)
    free(acre_take(&name));
  if (which != 3)
    name = make(); // expected-warning {{'name' may be overwritten}}
}
void called_between(struct item *unique n) {
  if (n)
    n->next = acre_take(&front);
  stranger();
  if (n)
    front = acre_take(&n->next);
  free(n);
}
