#include "constructor.h"

struct node *make(region r, struct node *next) {
  struct node *n = ralloc(r, struct node);
  n->next = next;
  return n;
}
