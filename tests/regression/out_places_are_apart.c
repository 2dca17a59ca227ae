// A call that fills one place for a result was thought to fill another one, too.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stddef.h>

struct rope {
  struct rope *unique left, *unique right;
  size_t weight;
};
struct rope *unique join(struct rope *unique left, struct rope *unique right);

void split(struct rope *unique r, size_t at, struct rope *unique *acre_out left,
           struct rope *unique *acre_out right) {
  *left = NULL;
  *right = NULL;
  if (!r)
    return;
  struct rope *unique middle = NULL;
  if (at < r->weight) {
    split(acre_take(&r->left), at, left, &middle);
    *right = join(middle, acre_take(&r->right));
  } else {
    split(acre_take(&r->right), at - r->weight, &middle, right);
    *left = join(acre_take(&r->left), middle);
  }
  acre_drop(r);
}
void split_lost(struct rope *unique r, struct rope *unique *acre_out left,
                struct rope *unique *acre_out right) {
  *right = NULL;
  split(r, 0, left, right);
  *right = NULL; // expected-warning {{'*right' may be overwritten}}
}
