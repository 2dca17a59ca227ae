// A function of the program that has the name of one of the C library was taken for that: it may
// keep what it is given.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -fno-builtin \
// RUN:   -Xclang -verify %s
#include <acre/own.h>
struct item {
  struct item *next;
};
static struct item *all;
void link(struct item *a, struct item *b) {
// expected-note@-1 {{'borrowed' says that it is not kept}}
  a->next = b;
  all = a;
}
struct item *unique make(void);
void acre_own_drop(void *p, const acre_site *site);
void f(struct item *b) {
  struct item *unique a = make();
  link(a, b); // expected-error {{'a' is lent to 'link', which is not known to give it back}}
  acre_drop(a);
}
void connect(struct item *borrowed a, struct item *b);
void g(struct item *b) {
  struct item *unique a = make();
  connect(a, b);
  acre_drop(a);
}
