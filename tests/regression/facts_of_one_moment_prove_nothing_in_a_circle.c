// An object's allocation says it lies with its pool, a passed check that the pool lies with the
// object: each was taken for a proof of the other, of any region.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+32]]: in set: parentptr pointer may not point into the
// ABORT-SAME: region created at [[FILE]]:[[@LINE+37]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct object allocated at [[FILE]]:[[@LINE+38]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'main' of struct object allocated at
// ABORT-SAME: [[FILE]]:[[@LINE+24]] in the region created at [[FILE]]:[[@LINE+35]]
// ABORT-NEXT: held by the region created at [[FILE]]:[[@LINE+34]]
#include "../end_to_end/Inputs/check.h"

struct pool {
  int n;
};
struct object {
  struct pool *sameregion pool;
  struct object *parentptr main;
};

static region sibling;
static NOINLINE struct pool *create(const struct pool *other) {
  (void)other;
  return ralloc(sibling, struct pool);
}

static inline void *alloc(struct pool *pool, size_t size, const acre_site *site) {
  return acre_region_alloc(regionof(pool), size, 8, site);
}

NOINLINE struct object *set(const struct object *r) {
  struct pool *pool = create(r->pool);
  struct object *o = alloc(pool, sizeof *o, ACRE_TYPE(struct object));
  if (!o)
    return NULL;
  o->pool = pool;
  o->main = r->main;
  return o;
}

int main(void) {
  region parent = newregion();
  region one = newsubregion(parent);
  sibling = newsubregion(parent);
  struct object *r = ralloc(one, struct object);
  r->main = r;
  return set(r) == NULL;
}
