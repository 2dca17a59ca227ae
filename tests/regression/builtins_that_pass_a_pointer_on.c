// What __builtin_addressof and __builtin_bit_cast make of a borrowed pointer was not followed.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  int value;
};
void keep(struct node **at);

void address_of_the_object(struct node *unique p) {
  struct node *n = __builtin_addressof(*p);
  free(p);
  n->value = 1; // expected-error {{'n' is used after 'p', which it was borrowed from}}
}
void address_of_a_member(struct node *unique p) {
  int *value = __builtin_addressof(p->value);
  free(p);
  *value = 1; // expected-error {{'value' is used after 'p', which it was borrowed from}}
}
void address_of_the_variable(struct node *unique p) {
  struct node *n = p;            // expected-error {{borrowed from 'p' kept in this variable}}
  keep(__builtin_addressof(n));
  free(p);
}
void bits(struct node *unique p) {
  struct node *n = __builtin_bit_cast(struct node *, p);
  free(p);
  n->value = 1; // expected-error {{'n' is used after 'p', which it was borrowed from}}
}

void used_before(struct node *unique p) {
  int *value = __builtin_addressof(p->value);
  struct node *n = __builtin_bit_cast(struct node *, p);
  *value = n->value + 1;
  free(p);
}
