// What was set below a node by a pointer that led on from another one ended that one's loan: a file
// of sections could not be read. What frees the upper node is still seen.
// RUN: not %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  int value;
};
void end(struct node *unique node);

int cut_below(struct node *borrowed top) {
  struct node *upper = top->next;
  if (!upper)
    return 0;
  struct node *lower = upper->next;
  if (!lower)
    return 0;
  end(acre_take(&lower->next));
  return upper->value + lower->value;
}

int cut_above(struct node *borrowed top) {
  struct node *upper = top->next;
  if (!upper)
    return 0;
  struct node *lower = upper->next;
  if (!lower)
    return 0;
  end(acre_take(&upper->next));
  // CHECK: :[[#@LINE+1]]:10: error: 'lower' is used after
  return lower->value;
}

// The nodes change places, so that the upper one is freed.
int turn(struct node *borrowed top) {
  struct node *upper = top->next;
  if (!upper)
    return 0;
  struct node *lower = upper->next;
  if (!lower)
    return 0;
  struct node *unique first = acre_take(&top->next);
  struct node *unique second = acre_take(&first->next);
  end(acre_swap(&second->next, first));
  // CHECK: :[[#@LINE+1]]:18: error: 'lower' is used after
  end(acre_take(&lower->next));
  top->next = second;
  // CHECK: :[[#@LINE+1]]:10: error: 'upper' is used after
  return upper->value;
}
// CHECK: 3 errors generated
