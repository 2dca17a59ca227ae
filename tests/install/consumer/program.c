#include <acre/acre.h>

struct node {
  struct node *sameregion next;
};
static struct node *kept;

struct node *make(region r) {
  struct node *n = ralloc(r, struct node);
  n->next = n;
  return n;
}

#ifndef LIBRARY
/* With an argument a pointer into the region is left behind. */
int main(int argc, char **argv) {
  region r = newregion();
  struct node *n = make(r);
  if (argc > 1 && argv[1])
    kept = n;
  return deleteregion(r) ? 0 : 1;
}
#else
void keep(struct node *n);
void keep(struct node *n) { kept = n; }
#endif
