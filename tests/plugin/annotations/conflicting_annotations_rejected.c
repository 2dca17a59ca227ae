// One slot, one rule.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang -verify %s
#include <acre/annotations.h>
typedef struct node *sameregion inner;
struct node {
  struct node *sameregion parentptr both; // expected-error {{'sameregion' and 'parentptr' on the same pointer}}
  inner traditional through_typedef;      // expected-error {{'sameregion' and 'traditional' on the same pointer}}
  inner sameregion twice_the_same;
  inner *parentptr different_levels;
  char *sameregion *parentptr *traditional each_level_its_own;
};
