#include <acre/acre.h>

struct node {
  struct node *sameregion next;
};
struct node *make(region r, struct node *next);
