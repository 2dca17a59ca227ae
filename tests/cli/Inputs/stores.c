#include "stores.h"

struct node *make(region r, struct node *next) {
  struct node *n = ralloc(r, struct node);
  n->next = next;
  n->up = n->next ? n->next->up : 0;
  return n;
}

static inline void link_to(struct node *from, struct node *to) { from->next = to; }

void twice(struct node *a, struct node *b) {
  link_to(a, a->next);
  link_to(a, b);
}

static inline void skip(struct node *n) { n->next = n->next->next; }

void skip_two(struct node *a, struct node *b) {
  skip(a);
  skip(b);
}

void shorten(struct node *a) { drop(a); }

void count(struct node **slot, struct node *a) {
	*slot = a;
	a->self = a;
}
