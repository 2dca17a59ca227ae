// Compound literals: as values, as exposed objects with a scope, and at file scope.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct pair {
  node *a, *b;
};
static struct pair *file_scope = &(struct pair){0, 0};

static NOINLINE void fill(struct pair *p, node *n) { p->a = p->b = n; }

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  struct pair *heap = malloc(sizeof *heap);
  *heap = (struct pair){n, 0};
  CHECK_COUNT(r, 1);
  fill(file_scope, n);
  CHECK_COUNT(r, 3);
  {
    struct pair *scoped = opaque(&(struct pair){n, n});
    CHECK_HELD(r, 5 + 1);
    fill(scoped, 0);
    CHECK_HELD(r, 3 + 1);
    fill(scoped, n);
    CHECK_HELD(r, 5 + 1); /* and n */
  }
  CHECK(((node *[]){0, n, 0})[1] == n);
  fill(file_scope, 0);
  free(heap);
}
