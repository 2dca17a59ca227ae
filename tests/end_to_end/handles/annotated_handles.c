// An annotated region handle names the region of what holds it, that or one above, or the
// traditional region.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct array {
  region sameregion own;
  region parentptr above;
  region traditional none;
  region any;
  node *sameregion first;
};

static region sameregion of_a_global;
static region parentptr above_a_global;

NOINLINE static void fill(struct array *a, region own, region above) {
  a->own = own;
  a->above = above;
  a->none = traditional_region;
  a->any = above;
  a->first = new_node(a->own);
}

int main(void) {
  region r = newregion(), child = newsubregion(r), other = newregion();
  struct array *a = ralloc(child, struct array), *b = ralloc(child, struct array);
  fill(a, child, r);
  fill(b, child, child);
  *b = *a;
  memcpy(b, a, sizeof *b);
  memmove((void *)a, b, (size_t)opaque((void *)sizeof *b));
  CHECK(b->own == child && b->above == r && b->any == r);
  a->own = NULL;
  a->above = NULL;
  a->none = NULL;
  a->any = other;
  struct array *foreign = calloc(1, sizeof *foreign);
  foreign->own = traditional_region;
  foreign->above = traditional_region;
  of_a_global = above_a_global = traditional_region;
  region traditional local = foreign->own;
  CHECK(local == foreign->above);
  foreign->any = child;
  CHECK_COUNT(child, 0); // handles are no pointers
}
