// The value of a statement expression was taken for one that nobody asks for, so that the old text,
// which realloc had freed, was swapped out and freed again without a word.
// RUN: not %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

struct buffer {
  char *unique text;
};

void grow(struct buffer *borrowed b, size_t n) {
  // CHECK: :[[#@LINE+1]]:31: error: a unique pointer in memory is taken with 'acre_take' or
  char *unique p = realloc(b->text, n);
  if (!p)
    return;
  free(({ acre_swap(&b->text, p); }));
}

// A body of do without braces is a statement.
void shrink(struct buffer *borrowed b, size_t n) {
  char *unique p = realloc(b->text, n);
  if (!p)
    return;
  do
    acre_swap(&b->text, p);
  while (0);
}
// CHECK: 1 error generated
