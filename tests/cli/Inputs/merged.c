#include <acre/acre.h>

struct node {
  struct node *self;
};

void either(struct node *n, int c, struct node *a, struct node *b) {
  if (c)
    n->self = a;
  else
    n->self = b;
}
