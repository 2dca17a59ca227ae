/* SPDX-License-Identifier: MIT */
/* hull_memory.h - Qhull's short memory as a region, which is deleted as a whole.
 *
 * Qhull keeps what is given back by its size.  Here each kind has lists of its own: records have
 * the types that their sizes are written with, sets are arrays of pointers with a number, and the
 * rest is coordinates.
 */
#ifndef HULL_MEMORY_H
#define HULL_MEMORY_H

#include <acre/acre.h>

enum hull_kind { HULL_RECORD, HULL_SET, HULL_NUMBERS, HULL_KINDS };

static inline void *hull_take(region memory, int size, enum hull_kind kind, const acre_site *site) {
  if (kind == HULL_NUMBERS)
    return rarrayalloc(memory, ((size_t)size + 7) / 8, double);
  return acre_region_alloc(memory, (size_t)size, 8, kind == HULL_RECORD ? site : NULL);
}

#define HULL_KIND(size) (__builtin_constant_p(size) ? HULL_RECORD : HULL_NUMBERS)
#define qh_memalloc(qh, size) \
  qh_memalloc_kind((qh), (size), HULL_KIND(size), ACRE_TYPE_OF_SIZE(size))
#define qh_memfree(qh, object, size) qh_memfree_kind((qh), (object), (size), HULL_KIND(size))

#endif
