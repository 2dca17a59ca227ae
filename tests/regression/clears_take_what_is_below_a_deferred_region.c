// A clear that severs went on without a subregion that was deferred below another one: that lived
// on below a freed parent, with pointers up into freed memory that nobody had counted.
// RUN: %acre-cc -O0 %s -o %t && %t
// RUN: %acre-cc -O2 %s -o %t && %t
#include <acre/acre.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
};

#define CHECK(is_true) ((is_true) ? (void)0 : abort())

static struct node *kept;

static void clear_a_tree(int is_referred) deletes {
  region a = newregion(), b = newsubregion(a), c = newsubregion(b), d = newsubregion(c);
  acre_region_set_delete_policy(c, ACRE_DELETE_DEFER);
  struct node *node = ralloc(d, struct node);
  node->next = ralloc(b, struct node); /* up: no record */
  node->next->value = 42;
  kept = is_referred ? node : NULL;
  node = NULL;
  CHECK(deleteregion(c)); /* waits for d */
  CHECK(clearregion(a) == !is_referred); /* what is deferred is not severed */
  for (int i = 0; is_referred && i < 100; i++) {
    region other = newregion();
    ralloc(other, struct node)->value = 7;
    CHECK(kept->next->value == 42);
    deleteregion(other);
  }
  kept = NULL;
  CHECK(clearregion(a) && acre_verify());
  CHECK(deleteregion(a) && acre_verify());
}

int main(void) {
  acre_set_delete_policy(ACRE_DELETE_SEVER);
  clear_a_tree(0);
  clear_a_tree(1);
  acre_set_delete_policy(ACRE_DELETE_TRAP);
  clear_a_tree(0);
  clear_a_tree(1);
  return 0;
}
