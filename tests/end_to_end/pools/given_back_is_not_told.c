// A pointer in an object that was given back is no finding when what it points to ends; but it is
// severed like others, since the object may be used by mistake.
// RUN: %acre-cc -O2 %s %S/Inputs/home.c -facre-pools=%S/Inputs/home.map -o %t
// RUN: %t 2>&1 | count 0
#include "../Inputs/check.h"
#include "Inputs/home.h"

struct item {
  struct item *other;
};

int main(void) {
  pool *p = pool_create(NULL), *q = pool_create(NULL);
  struct item *item = pool_alloc(p, sizeof *item), *other = pool_alloc(q, sizeof *other);
  item->other = other;
  CHECK(item->other == other);
  pool_give_back(p, item);
  pool_destroy(q);
  CHECK(item->other != other);
  pool_destroy(p);
  return 0;
}
