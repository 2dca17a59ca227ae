// An object's allocation says it lies with its pool, a passed check that the pool lies with the object: each was taken for a proof of the other, of any region.
// RUN: %each_level --expect-abort "parentptr" -o %t %s
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
  region parent = newregion(), one = newsubregion(parent);
  sibling = newsubregion(parent);
  struct object *r = ralloc(one, struct object);
  r->main = r;
  return set(r) == NULL;
}
