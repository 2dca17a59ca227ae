// A pointer to an owner's object or elsewhere counted as the owner's alone: what others took below
// it was not lost.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique held;
  int value;
};
struct node *pick(void);
void change(void);

int either(struct node *unique mine, int choice) {
  struct node *one = choice ? mine : pick();
  struct node *below = one->held;
  change();                             // expected-note {{lost here}}
  int value = below ? below->value : 0;
  // expected-error@-1 {{'below' is used after what it was borrowed from was consumed or changed}}
  acre_drop(mine);
  return value;
}
int of_the_owner(struct node *unique mine) {
  struct node *one = mine;
  struct node *below = one->held;
  change();
  int value = below ? below->value : 0;
  acre_drop(mine);
  return value;
}
