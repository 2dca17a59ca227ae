// Behind void *, and after a cast, the rule of a slot is not known; the C library's memory
// functions are.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *sameregion next; }; // expected-note 1+ {{'next' is declared here}}
void any(void *);
// expected-note@-1 {{the parameter is declared here}}
void only_read(const void *);

void warned(struct node *n) {
  any(&n->next);
  // expected-warning@-1 {{passing 'struct node *sameregion *' as 'void *' hides the annotation \
of the pointers behind it [-Wacre-qualifier-lost]}}
  struct node **p = (struct node **)&n->next;
  // expected-warning@-1 {{casting 'struct node *sameregion *' to 'struct node **' changes the \
annotation of the pointers behind it [-Wacre-qualifier-lost]}}
  void *v = &n->next;
  // expected-warning@-1 {{hides the annotation}}
  // expected-note@-2 {{'v' is declared here}}
  (void)p, (void)v;
}

void accepted(struct node *n, struct node *sameregion *list) {
  any(n), any(n->next), only_read(&n->next);
  memmove(list, list + 1, 8), free(list), list = realloc(list, 8);
  memcpy((void *)list, (void *)&n->next, 8);
}
