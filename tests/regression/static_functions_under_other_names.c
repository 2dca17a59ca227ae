// A static function was taken to be called only where that is seen, also where an alias, a weakref,
// a label, assembly or nobody in the program calls it.
// RUN: %frontend -fsyntax-only -DALONE -Xclang -verify=alone %s
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// alone-no-diagnostics
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  int value;
};
static struct node *unique root;

#define READS(name, ...)                        \
  __VA_ARGS__ static int name(struct node *n) { \
    struct node *m = n->next;                   \
    free(acre_take(&root->next));               \
    return m->value;                            \
  }

READS(plain)
#ifdef ALONE
READS(aliased) READS(referred) READS(labelled) READS(jumped_to) READS(used) READS(constructed)
#else
READS(aliased)                               // expected-error {{'m' is used after 'n'}}
READS(referred)                              // expected-error {{'m' is used after 'n'}}
READS(labelled)                              // expected-error {{'m' is used after 'n'}}
READS(jumped_to)                             // expected-error {{'m' is used after 'n'}}
READS(used, __attribute__((used)))           // expected-error {{'m' is used after 'n'}}
READS(constructed, __attribute__((constructor))) // expected-error {{'m' is used after 'n'}}
int alias(struct node *n) __attribute__((alias("aliased")));
static int reference(struct node *n) __attribute__((weakref("referred")));
extern int label(struct node *n) __asm__("labelled");
int elsewhere(struct node *n) { return reference(n) + label(n); }
__asm__("entry: jmp jumped_to");
#endif

int all(struct node *unique n) {
  int sum =
      plain(n) + aliased(n) + referred(n) + labelled(n) + jumped_to(n) + used(n) + constructed(n);
  acre_drop(n);
  return sum;
}
