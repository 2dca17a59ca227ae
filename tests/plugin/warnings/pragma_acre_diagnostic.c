// #pragma acre diagnostic sets Acre's flags for a part of a file.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
struct node { struct node *sameregion next; }; // expected-note 3 {{declared here}}
void any(void *);                              // expected-note 3 {{declared here}}

void f(struct node *n) {
  any(&n->next); // expected-warning {{[-Wacre-qualifier-lost]}}
#pragma acre diagnostic push
#pragma acre diagnostic ignored "-Wacre-qualifier-lost"
  any(&n->next);
#pragma acre diagnostic push
#pragma acre diagnostic error "-Wacre-qualifier-lost"
  any(&n->next); // expected-error {{[-Werror,-Wacre-qualifier-lost]}}
#pragma acre diagnostic pop
  any(&n->next);
#pragma acre diagnostic pop
  any(&n->next); // expected-warning {{[-Wacre-qualifier-lost]}}
}

#pragma acre diagnostic ignore "-Wacre-asm"
// expected-error@-1 {{expected 'push', 'pop', 'ignored', 'warning' or 'error'}}
#pragma acre diagnostic ignored "-Wunused"
// expected-error@-1 {{expected a string "-Wacre-..."}}
#pragma acre diagnostic pop
// expected-error@-1 {{expected a 'push' before 'pop'}}
#pragma acre warning
// expected-error@-1 {{expected 'diagnostic' after '#pragma acre'}}
#pragma acre diagnostic                       // expected-error {{expected 'push'}}
