// A getter whose result lends was rejected without a word of the cure.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify %s
#include <acre/own.h>
struct item {
  char *unique key;
};
static struct item *unique table;
char *key_of(struct item *borrowed i) {
  // expected-note@-1 {{the parameter is declared here}}
  // expected-note@-2 {{a 'borrowed' result lends it}}
  return i->key; // expected-error {{what is borrowed from 'i' returned could be used after}}
}
char *key(void) { // expected-note {{a 'borrowed' result lends it}}
  return table->key; // expected-error {{what is returned could be used after its owner is gone}}
}
char *borrowed key_beside(struct item *borrowed i) {
  // expected-note@-1 {{callers take it for lent by what the parameters of this function point to}}
  (void)i;
  return table->key; // expected-error {{what is returned could be used after its owner is gone}}
}
char *key_of_another(struct item *borrowed i) {
  // expected-note@-1 {{of a function with such parameters callers take a 'borrowed' result}}
  (void)i;
  return table->key; // expected-error {{what is returned could be used after its owner is gone}}
}

char *borrowed key_lent(struct item *borrowed i) { return i->key; }
char *borrowed key_of_table(void) { return table->key; }
