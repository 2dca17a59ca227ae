/* SPDX-License-Identifier: MIT */
/* pool.h - what the C programs here allocate trees from, chosen by -DPOOL_<name>.
 *
 *   POOL_ACRE       a region for each tree: by plain clang not counted, by acre-cc counted
 *   POOL_MALLOC     malloc, each node freed by itself
 *   POOL_COLLECTED  bdwgc, nothing freed
 *
 * NODE(pool, T) is a node of T with contents unspecified.  DROP(pool, root, release) ends the life
 * of a pool and of all nodes in it; release frees the nodes below root one after the other, where
 * that is needed. */
#ifndef POOL_H
#define POOL_H

#include <stdlib.h>

#if defined(POOL_ACRE)
#include <acre/acre.h>
typedef region pool;
#define POOL() newregion()
#define NODE(p, T) ralloc((p), T)
#define DROP(p, root, release) ((void)(release), (root) = NULL, (void)deleteregion(p))
#else
#define sameregion
#define deletes
typedef char pool;
#define POOL() 0
#if defined(POOL_MALLOC)
static inline void *pool_node(size_t size) {
  void *node = malloc(size);
  if (!node)
    abort();
  return node;
}
#define NODE(p, T) ((void)(p), (T *)pool_node(sizeof(T)))
#define DROP(p, root, release) ((void)(p), (release)(root), (root) = NULL)
#elif defined(POOL_COLLECTED)
#include <gc.h>
#define NODE(p, T) ((void)(p), (T *)GC_MALLOC(sizeof(T)))
#define DROP(p, root, release) ((void)(p), (void)(release), (root) = NULL)
#else
#error "choose a pool"
#endif
#endif

#endif
