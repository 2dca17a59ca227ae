#include "stores.h"

void use(struct node *a, struct node *b) {
  a->next = b;
  drop(a);
}
