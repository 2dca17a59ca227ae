// A pointer to a slot carries the slot's rule.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
#include <stdlib.h>
#include <string.h>
struct node {
  struct node *sameregion next; // expected-note 1+ {{'next' is declared here}}
  struct node *plain;           // expected-note 1+ {{'plain' is declared here}}
  struct node *sameregion kids[4]; // expected-note 1+ {{'kids' is declared here}}
};
void by_plain(struct node **slot);               // expected-note 1+ {{'slot' is declared here}}
void by_annotated(struct node *sameregion *slot); // expected-note 1+ {{'slot' is declared here}}
typedef void (*visitor)(struct node **);
void visit(visitor);
// expected-note@-1 {{the parameter is declared here}}

struct node **rejected(struct node *n, int k) {  // expected-note {{'rejected' is declared here}}
  struct node **p = &n->next;
  // expected-error@-1 {{initializing 'struct node **' with an expression of type 'struct node \
*sameregion *' changes the annotation}}
  // expected-note@-3 1+ {{'p' is declared here}}
  struct node *sameregion *q = &n->plain;
  // expected-error@-1 {{initializing 'struct node *sameregion *' with an expression of type \
'struct node **'}}
  // expected-note@-3 1+ {{'q' is declared here}}
  p = n->kids;
  // expected-error@-1 {{assigning to 'struct node **' from 'struct node *sameregion *'}}
  by_plain(&n->next);
  // expected-error@-1 {{passing 'struct node *sameregion *' to a parameter of type 'struct node \
**'}}
  by_annotated(&n->plain);
  // expected-error@-1 {{passing 'struct node **' to a parameter of type 'struct node \
*sameregion *'}}
  visit((visitor)0);
  visit(by_annotated);
  // expected-error@-1 {{changes the annotation}}
  // expected-note@-25 {{'by_annotated' is declared here}}
  struct node *sameregion **deep = &p;
  // expected-error@-1 {{changes the annotation}}
  // expected-note@-2 {{'deep' is declared here}}
  (void)deep;
  (void)*(k ? p : q);                            // expected-error {{converting '}}
  return &n->next;
  // expected-error@-1 {{returning 'struct node *sameregion *' from a function with result type \
'struct node **'}}
}

/* Reading through a pointer to const changes nothing, and memory of no type takes any. */
void accepted(struct node *n, int k) {
  struct node *sameregion *p = k ? &n->next : n->kids;
  struct node *const *q = &n->next;
  p = malloc(sizeof *p);
  p = (struct node *sameregion *)calloc(1, 8);
  by_annotated(p), by_annotated(0), by_plain(&n->plain);
  memcpy(p, &n->next, sizeof *p), free(p);
  memset((void *)&n->next, 0, sizeof n->next);
  n->next = n->plain, n->plain = n->next;
  (void)q;
}
