/* SPDX-License-Identifier: MIT */
/* model_pool.h - GLPK's pools of atoms (dmp.h) for a MathProg model, in the region of the model.
 *
 * All pools of a model are deleted together with it, so they are parts of one region.  Each keeps
 * the atoms that were given back by their size, as GLPK's do: except for the first pool, in which
 * nothing is given back, a pool has atoms of one type only.
 */
#ifndef MODEL_POOL_H
#define MODEL_POOL_H

#include "dmp.h"
#include "env.h"
#include <acre/acre.h>

typedef struct free_atom {
  struct free_atom *next;
} free_atom;

typedef struct model_pool {
  acre_region memory;
  free_atom *avail[32];
  size_t count;
} model_pool;

static inline model_pool *model_pool_create(acre_region memory) {
  model_pool *pool = acre_region_alloc(memory, sizeof *pool, 8, ACRE_TYPE(model_pool));
  pool->memory = memory;
  return pool;
}

static inline void *model_pool_get(model_pool *pool, size_t size, const acre_site *site,
                                   int is_text) {
  size_t kind = (size - 1) / 8;
  free_atom *atom = pool->avail[kind];
  pool->count++;
  if (atom)
    pool->avail[kind] = atom->next;
  else if (is_text)
    atom = (free_atom *)acre_region_alloc_bytes(pool->memory, (kind + 1) * 8);
  else
    atom = acre_region_alloc(pool->memory, size, 8, site);
  return atom;
}

static inline void model_pool_give_back(model_pool *pool, void *object, size_t size) {
  free_atom *atom = object, **place = &pool->avail[(size - 1) / 8];
  atom->next = *place;
  *place = atom;
  pool->count--;
}

#undef dmp_get_atom
#undef dmp_free_atom
#undef dmp_in_use
#define dmp_get_atom(pool, size) \
  model_pool_get((pool), (size), ACRE_TYPE_OF_SIZE(size), ACRE_SIZE_IS_TEXT(size))
#define dmp_free_atom(pool, atom, size) model_pool_give_back((pool), (atom), (size))
#define dmp_in_use(pool) ((pool)->count)
/* Whether the size is that of a string: not known when compiling. */
#define ACRE_SIZE_IS_TEXT(size) (!__builtin_constant_p(size))

#endif
