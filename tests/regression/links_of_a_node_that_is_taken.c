// A node that was taken out of another one was thought to lead nowhere, so that what its link was
// set to lost the nodes behind it without a word.
// RUN: %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

struct tree {
  struct tree *unique left, *unique right;
};

void turn_and_lose(struct tree *unique *borrowed at) {
  struct tree *unique top = acre_take(at);
  struct tree *unique pivot = top ? acre_take(&top->right) : NULL;
  if (!pivot) {
    *at = top;
    return;
  }
  // CHECK: :[[#@LINE+1]]:15: warning: 'pivot->left' may be overwritten
  pivot->left = top;
  *at = pivot;
}

void turn(struct tree *unique *borrowed at) {
  struct tree *unique top = acre_take(at);
  struct tree *unique pivot = top ? acre_take(&top->right) : NULL;
  if (!pivot) {
    *at = top;
    return;
  }
  top->right = acre_take(&pivot->left);
  pivot->left = top;
  *at = pivot;
}

// A test has found that the node leads nowhere.
void move_last(struct tree *borrowed from, struct tree *unique *borrowed to) {
  if (!from->right)
    return;
  while (from->right->right)
    from = from->right;
  struct tree *unique last = acre_take(&from->right);
  last->right = acre_take(to);
  *to = last;
}
// CHECK: 1 warning generated
