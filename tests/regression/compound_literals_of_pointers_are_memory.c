// A compound literal of pointer type was not followed: what is put in one lies in memory like an
// element of an array.  One whose value alone is used is that value.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  int value;
};
void look(struct node *borrowed n);
void keep(struct node **at);
void eat(struct node *unique n);
static struct node *kept;

void address_in_a_variable(struct node *unique p) {
  struct node **q = &(struct node *){p}; // expected-error {{borrowed from 'p' stored in memory}}
  free(p);
  (*q)->value = 1;
}
void address_given_away(struct node *unique p) {
  keep(&(struct node *){p}); // expected-error {{borrowed from 'p' stored in memory}}
  free(p);
}
void value_kept(struct node *borrowed p) {
  kept = (struct node *){p}; // expected-error {{borrowed from 'p' stored in memory}}
}
void plain_made_unique(struct node *p) {
  struct node *unique *q = &(struct node *unique){p}; // expected-error {{cannot become unique}}
  acre_drop(acre_take(q));
}
void moved_and_used(struct node *unique p) {
  struct node *unique *q = &(struct node *unique){p};
  eat(acre_take(q));
  look(p); // expected-error {{'p' is used after it was consumed}}
}

void value_used(struct node *borrowed p) { look((struct node *){p}); }
void value_moved(struct node *unique p) { eat((struct node *unique){p}); }
void moved(struct node *unique p) {
  struct node *unique *q = &(struct node *unique){p};
  eat(acre_take(q));
}
void of_no_owner(void) {
  keep(&(struct node *){NULL});
  keep(&(struct node *){kept});
}
