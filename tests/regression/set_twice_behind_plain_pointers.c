// A slot that the function sets twice by way of a plain pointer in memory loses the first owner;
// nothing was said, for nothing is promised of such a pointer.  It is where nothing runs between.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct box {
  char *unique name;
  struct box *next;
};
struct holder {
  struct box *box;
};
void change(void);

void twice(struct holder *borrowed h) {
  h->box->name = strdup("one");
  h->box->name = strdup("two"); // expected-warning {{'h->box->name' may be overwritten}}
}
void once_each(struct holder *borrowed h, struct box *other) {
  h->box->name = strdup("one");
  change();
  h->box->name = strdup("two");
  h->box = h->box->next;
  h->box->name = strdup("three");
  struct box *same = h->box;
  free(acre_take(&same->name));
  h->box->name = strdup("four");
}
void each(struct holder *borrowed h) {
  for (; h->box; h->box = h->box->next)
    h->box->name = strdup("one");
}
