/* SPDX-License-Identifier: MIT */
/* memory.h - one vocabulary of allocation for every column of the evaluation.
 *
 * The same sources are compiled in six ways:
 *
 *   (default)             Acre's regions: by plain clang not counted ("norc"), by acre-cc counted
 *   -DMEMORY_UNANNOTATED  the same, sameregion, parentptr and traditional ignored ("nq")
 *   -DMEMORY_MALLOC       malloc and free
 *   -DMEMORY_COLLECTED    the code of MEMORY_MALLOC, allocating from bdwgc, freeing nothing
 *   -DMEMORY_TALLOC       talloc: regions are contexts (pools_talloc.h)
 *   -DMEMORY_APR          regions are APR's pools (pools_apr.h)
 *
 * Two families of operations:
 *
 *   newregion, ralloc, rarrayalloc, rstralloc, ...   for programs that are made of regions.  With
 *       MEMORY_MALLOC they are an emulation that allocates each object by itself, and deleteregion
 *       frees one after the other (the paper's "lea" column).  Zeroed in every mode.
 *   NEW, NEW_ARRAY, NEW_NUMBERS, GROW, RELEASE       for programs that were written with malloc and
 *       free.  The region argument is where the object goes if there are regions; RELEASE frees it
 *       if there are none.
 *
 * regionof in the emulation takes only what an operation of the first family has returned.
 */
#ifndef MEMORY_H
#define MEMORY_H

#if defined(MEMORY_TALLOC) + defined(MEMORY_APR) + defined(MEMORY_MALLOC) + \
        defined(MEMORY_COLLECTED) >                                         \
    1
#error "choose one way"
#endif
#if defined(MEMORY_TALLOC) || defined(MEMORY_APR)
#define MEMORY_POOLS
#endif

#if !defined(MEMORY_MALLOC) && !defined(MEMORY_COLLECTED) && !defined(MEMORY_POOLS)

#include <acre/acre.h>

#ifdef MEMORY_UNANNOTATED
#undef sameregion
#undef parentptr
#undef traditional
#undef inregion
#undef inparent
#undef settled
#define sameregion
#define parentptr
#define inregion(r)
#define inparent(r)
#define traditional
#define settled
#endif

/* Whether NEW takes from its region: what copies objects only to let their region go asks this
 * first. */
#define HAS_REGIONS 1
/* Whether RELEASE frees: what walks a structure only to release its parts asks this first. */
#define IS_RELEASE_NEEDED 0

/* Objects without pointers.  Acre sees that from the type. */
#define ralloc_pointerfree(r, T) ralloc(r, T)
#define rarrayalloc_pointerfree(r, n, T) rarrayalloc(r, n, T)
#define rarrayextend_pointerfree(r, old, n, T) rarrayextend(r, old, n, T)

/* With bytes more behind it, for a T that ends in a flexible array. */
#define ralloc_flexible(r, T, bytes) \
  ((__typeof__(T) *)acre_region_alloc((r), sizeof(T) + (bytes), _Alignof(T), ACRE_TYPE(T)))

#define NEW(r, T) ralloc((r), T)
#define NEW_ARRAY(r, n, T) rarrayalloc((r), (n), T)
#define NEW_NUMBERS(r, n, T) rarrayalloc((r), (n), T)
#define GROW(r, old, n, T) rarrayextend((r), (old), (n), T)
#define REGION_OF(p) regionof(p)
#define RELEASE(p) ((void)(p))

#else /* regions by others, malloc or bdwgc */

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define sameregion
#define parentptr
#define inregion(r)
#define inparent(r)
#define traditional
#define settled
#define deletes

typedef struct memory_region *region;

region memory_region_new(region parent);
bool memory_region_delete(region r);
/* Sets *r to null, then deletes what it named. */
bool memory_region_delete_ptr(region *r);
bool memory_region_delete_array(size_t count, region *regions);
region memory_region_of(const void *object);
region memory_region_permanent(void);
/* count * size bytes of zero. */
void *memory_region_alloc(region r, size_t count, size_t size);
void *memory_region_alloc_pointerfree(region r, size_t count, size_t size);
void *memory_region_extend(region r, void *old, size_t count, size_t size);
void *memory_region_extend_pointerfree(region r, void *old, size_t count, size_t size);
void *memory_region_copy(region r, const void *from, size_t count, size_t size);
char *memory_region_strdup(region r, const char *string);

/* Objects outside all regions. */
void *memory_new(size_t count, size_t size); /* zeroed */
void *memory_new_numbers(size_t count, size_t size);
void *memory_grow(void *old, size_t count, size_t size);

#define newregion() memory_region_new(NULL)
#define newsubregion(parent) memory_region_new(parent)
#define deleteregion(r) memory_region_delete(r)
#define deleteregion_ptr(p) memory_region_delete_ptr(p)
#define deleteregion_array(n, rs) memory_region_delete_array((n), (rs))
#define regionof(p) memory_region_of(p)
#define permanent_region memory_region_permanent()
#define ralloc(r, T) ((__typeof__(T) *)memory_region_alloc((r), 1, sizeof(T)))
#define rarrayalloc(r, n, T) ((__typeof__(T) *)memory_region_alloc((r), (n), sizeof(T)))
#define ralloc_pointerfree(r, T) \
  ((__typeof__(T) *)memory_region_alloc_pointerfree((r), 1, sizeof(T)))
#define ralloc_flexible(r, T, bytes) \
  ((__typeof__(T) *)memory_region_alloc((r), 1, sizeof(T) + (bytes)))
#define rarrayalloc_pointerfree(r, n, T) \
  ((__typeof__(T) *)memory_region_alloc_pointerfree((r), (n), sizeof(T)))
#define rarrayextend(r, old, n, T) \
  ((__typeof__(T) *)memory_region_extend((r), (old), (n), sizeof(T)))
#define rarrayextend_pointerfree(r, old, n, T) \
  ((__typeof__(T) *)memory_region_extend_pointerfree((r), (old), (n), sizeof(T)))
#define rarraycopy(r, from, n, T) ((__typeof__(T) *)memory_region_copy((r), (from), (n), sizeof(T)))
#define rstralloc(r, n) ((char *)memory_region_alloc_pointerfree((r), (n), 1))
#define rstrdup(r, s) memory_region_strdup((r), (s))
#define rstrextend(r, old, n) ((char *)memory_region_extend_pointerfree((r), (old), (n), 1))

#ifdef MEMORY_POOLS
#define HAS_REGIONS 1
#define IS_RELEASE_NEEDED 0
#define NEW(r, T) ralloc((r), T)
#define NEW_ARRAY(r, n, T) rarrayalloc((r), (n), T)
#define NEW_NUMBERS(r, n, T) rarrayalloc((r), (n), T)
#define GROW(r, old, n, T) rarrayextend((r), (old), (n), T)
#define REGION_OF(p) regionof(p)
#define RELEASE(p) ((void)(p))
#else

#define HAS_REGIONS 0
#ifdef MEMORY_MALLOC
#define IS_RELEASE_NEEDED 1
#define RELEASE(p) free(p)
#else
#define IS_RELEASE_NEEDED 0
#define RELEASE(p) ((void)(p))
#endif

#define NEW(r, T) ((void)(r), (__typeof__(T) *)memory_new(1, sizeof(T)))
#define NEW_ARRAY(r, n, T) ((void)(r), (__typeof__(T) *)memory_new((n), sizeof(T)))
#define NEW_NUMBERS(r, n, T) ((void)(r), (__typeof__(T) *)memory_new_numbers((n), sizeof(T)))
#define GROW(r, old, n, T) ((void)(r), (__typeof__(T) *)memory_grow((old), (n), sizeof(T)))
#define REGION_OF(p) ((void)(p), (region)NULL)

#endif
#endif

/* NEW(region, T), NEW_ARRAY(region, n, T): zeroed.
 * NEW_NUMBERS(region, n, T): an array that holds no pointers, its contents unspecified.
 * GROW(region, old, n, T): old, an array that may hold pointers, made n elements long; those after
 * the old ones have unspecified contents.  old may be null.  Without regions the old array is gone;
 * with them it stays unused. REGION_OF(p): the region of an object that NEW, NEW_ARRAY or GROW
 * made, to allocate beside it. */

/* The first call of main.  With MEMORY_STATS in the environment, what the memory layer can say of
   the run goes to standard error at exit, in one line of "name=value". */
void memory_start(void);

#endif
