// A sameregion slot takes null and pointers into its own region, and never counts.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
  node *sameregion data;
};
typedef struct list *list_pointer;
struct by_typedef {
  list_pointer sameregion next;
};

int main(void) deletes {
  region r = newregion();
  struct list *last = 0;
  for (int i = 0; i < 100; i++) {
    struct list *l = ralloc(r, struct list);
    l->data = new_node(r);
    l->next = last;
    last = l;
  }
  struct by_typedef *t = ralloc(r, struct by_typedef);
  t->next = last;
  t->next = 0;
  last->next->data = last->data;
  CHECK_COUNT(r, 0);
  CHECK(acre_verify());
  DELETE_ACCEPTED(r);
}
