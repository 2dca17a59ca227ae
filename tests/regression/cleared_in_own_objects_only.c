// A function that clears a part of its own object by way of another function was taken to empty the
// same part of every global variable: what was lost there later was not reported.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct item {
  struct pair inside;
  struct item *unique next;
};
struct pair make_pair(void);
extern struct pair spare;
extern struct item *shared;

static void clear_pair(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static void close_item(struct item *unique p) {
  while (p) {
    struct item *unique next = acre_take(&p->next);
    clear_pair(&p->inside);
    free(p);
    p = next;
  }
}
static void clear_given(struct item *borrowed p) { clear_pair(&p->inside); }
static void clear_shared(void) { clear_pair(&shared->inside); }
static void clear_spare(void) { clear_pair(&spare); }

void own_objects(struct item *unique p) {
  close_item(p);
  spare = make_pair(); // expected-warning {{'spare.first' may be overwritten}}
}
void given_objects(struct item *borrowed p) {
  clear_given(p);
  spare = make_pair(); // expected-warning {{'spare.first' may be overwritten}}
}
void any_object(void) {
  clear_shared();
  spare = make_pair();
}
void the_object(void) {
  clear_spare();
  spare = make_pair();
}
