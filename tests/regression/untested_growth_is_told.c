// A slot that is set to the result of realloc by way of a variable was lost in silence where the
// call fails; beside a choice the same was rejected once, and then silent.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct list {
  int *unique words;
};

int grow(struct list *borrowed l, size_t n) {
  // expected-warning@+1 {{'l->words' is lost where realloc returns null}}
  int *unique more = realloc(l->words, n);
  l->words = more;
  return l->words ? 0 : -1;
}

int grow_if(struct list *borrowed l, int wanted, size_t n) {
  // expected-warning@+1 {{'l->words' is lost where realloc returns null}}
  int *unique more = wanted ? realloc(l->words, n) : NULL;
  l->words = more;
  return l->words ? 0 : -1;
}

int grow_by_swap(struct list *borrowed l, size_t n) {
  // expected-warning@+1 {{'l->words' is lost where realloc returns null}}
  int *unique more = realloc(l->words, n);
  acre_swap(&l->words, more);
  return l->words ? 0 : -1;
}

int grow_tested(struct list *borrowed l, size_t n) {
  int *unique more = realloc(l->words, n);
  if (!more)
    return -1;
  l->words = more;
  return l->words ? 0 : -1;
}
