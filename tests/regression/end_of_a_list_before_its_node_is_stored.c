// A pointer to the last link that was taken before its node went into the list was thought to end
// with the node's variable.
// RUN: %acre-cc -facre-strict=own -fsyntax-only %s 2>&1 | count 0
// RUN: not %acre-cc -fsyntax-only -DFREED %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
};

struct node *unique numbers(int count) {
  struct node *unique first = NULL;
  struct node *unique *tail = &first;
  while (count--) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    struct node *unique *next = &n->next;
#ifdef FREED
    free(n);
    // CHECK: :[[#@LINE+1]]:12: error: 'next' is used after
    tail = next;
#else
    *tail = n;
    tail = next;
#endif
  }
  return first;
}
