// (void)p behind a delete refused it at -O0, and where a loop sets the variable before that also
// when optimized.
// RUN: %acre-cc -O0 %s -o %t && %t
// RUN: %acre-cc -O2 %s -o %t && %t
#include <acre/acre.h>

struct node {
  int id;
};
static volatile int rounds = 1;

static int alone(region r) deletes {
  struct node *p = ralloc(r, struct node);
  int is_deleted = deleteregion(r);
  (void)p;
  return is_deleted;
}
static int in_a_loop(region r) deletes {
  struct node *p = ralloc(r, struct node);
  int is_deleted = deleteregion(r);
  for (int i = 0; i < rounds; i++)
    p = NULL;
  (void)p;
  return is_deleted;
}

int main(void) {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  return !alone(newregion()) + 2 * !in_a_loop(newregion());
}
