#include <acre/acre.h>

struct node {
  struct node *sameregion next;
  struct node *parentptr up;
  struct node *self;
};

static inline void drop(struct node *n) { n->next = n->next->next; }
