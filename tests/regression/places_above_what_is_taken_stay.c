// A pointer to the slot of a list's node was lost when what hangs below that node was taken through
// it, or when the node was lent to a function: what is above cannot end with it.
// RUN: %acre-cc -fsyntax-only -Xclang -verify=wrong -Xclang -verify-ignore-unexpected=note %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  int value;
};

void touch(struct node *borrowed n);

#ifndef RIGHT
void wrong_below(struct node *unique *borrowed head) {
  struct node *unique *place = head;
  if (!*place || !(*place)->next)
    return;
  struct node *below = (*place)->next;
  acre_drop(acre_take(&(*place)->next));
  below->value = 1; // wrong-error {{'below' is used after 'head', which it was borrowed from}}
}

void wrong_itself(struct node *unique *borrowed head) {
  struct node *unique *place = head;
  if (!*place)
    return;
  struct node *unique *next = &(*place)->next;
  acre_drop(acre_take(place));
  *next = NULL; // wrong-error {{'next' is used after}} wrong-warning {{may be overwritten}}
}

void wrong_lent(struct node *unique *borrowed head) {
  struct node *unique *place = head;
  if (!*place || !(*place)->next)
    return;
  struct node *below = (*place)->next;
  touch(*place);
  below->value = 1; // wrong-error {{'below' is used after 'head'}}
}
#else
void right_replaced(struct node *unique *borrowed head, struct node *unique n) {
  struct node *unique *place = head;
  while (*place && (*place)->value < n->value)
    place = &(*place)->next;
  if (*place) {
    n->next = acre_take(&(*place)->next);
    acre_drop(acre_swap(place, n));
  } else {
    *place = n;
  }
}

void right_removed(struct node *unique *borrowed head, int value) {
  struct node *unique *place = head;
  while (*place && (*place)->value != value)
    place = &(*place)->next;
  if (*place) {
    struct node *unique rest = acre_take(&(*place)->next);
    acre_drop(acre_swap(place, rest));
  }
}

void right_walked(struct node *unique *borrowed head) {
  struct node *unique *place = head;
  while (*place) {
    touch(*place);
    place = &(*place)->next;
  }
}
#endif
