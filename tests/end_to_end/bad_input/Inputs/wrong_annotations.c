#include <acre/acre.h>

struct node {
  int sameregion number;
  struct node *sameregion traditional next;
};

static void drop(region r) deletes { deleteregion(r); }

void caller(region r) { drop(r); }
