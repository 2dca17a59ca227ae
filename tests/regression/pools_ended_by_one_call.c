// Pools that one call ends may refer to each other.  When there were more than 16 of them, or the
// call cleared a pool of which it had ended others, correct programs were told of references that
// remain: PostgreSQL's MemoryContextDelete and MemoryContextReset.
// RUN: printf 'pool pool\ncreate pool_make()\nalloc pool_alloc(pool, size)\n' > %t.map
// RUN: printf 'destroy pool_end(pool)\nclear pool_reset(pool)\n' >> %t.map
// RUN: env ACRE_DELETE=abort %each_level -o %t %s -- -facre-pools=%t.map
#include <stdlib.h>

struct pool {
  struct pool *parent, *below, *next;
  void *chunks;
};

static struct pool *in(struct pool *parent, struct pool *made) {
  made->parent = parent;
  if (parent) {
    made->next = parent->below;
    parent->below = made;
  }
  return made;
}
__attribute__((noinline)) struct pool *pool_make(void) { return calloc(1, sizeof(struct pool)); }
__attribute__((noinline)) void *pool_alloc(struct pool *pool, size_t size) {
  void **chunk = calloc(1, sizeof *chunk + size);
  *chunk = pool->chunks;
  pool->chunks = chunk;
  return chunk + 1;
}
__attribute__((noinline)) void pool_end(struct pool *pool);
static void end_below(struct pool *pool) {
  while (pool->below) {
    struct pool *first = pool->below;
    pool->below = first->next;
    pool_end(first);
  }
}
__attribute__((noinline)) void pool_reset(struct pool *pool) {
  end_below(pool);
  for (void **chunk = pool->chunks, **next; chunk; chunk = next) {
    next = *chunk;
    free(chunk);
  }
  pool->chunks = NULL;
}
__attribute__((noinline)) void pool_end(struct pool *pool) {
  pool_reset(pool);
  free(pool);
}

static void end_many(int count) {
  struct pool *root = pool_make(), *middle = in(root, pool_make()), *last = in(middle, pool_make());
  void **holder = pool_alloc(middle, sizeof *holder);
  *holder = pool_alloc(last, 8);
  for (int i = 0; i < count; i++)
    in(root, pool_make());
  pool_end(root);
}

static void clear_above(void) {
  struct pool *above = pool_make(), *below = in(above, pool_make());
  void **holder = pool_alloc(below, sizeof *holder), **target = pool_alloc(above, sizeof *target);
  *holder = target;
  *target = holder;
  pool_reset(above);
  pool_end(above);
}

int main(void) {
  end_many(3);
  end_many(200);
  clear_above();
  return 0;
}
