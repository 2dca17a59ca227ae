// One slot, one rule.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
typedef struct node *sameregion inner;
struct node {
  struct node *sameregion parentptr both;
  // expected-error@-1 {{'sameregion' and 'parentptr' on the same pointer}}
  inner traditional through_typedef;
  // expected-error@-1 {{'sameregion' and 'traditional' on the same pointer}}
  inner sameregion twice_the_same;
  inner *parentptr different_levels;
  char *sameregion *parentptr *traditional each_level_its_own;
};
