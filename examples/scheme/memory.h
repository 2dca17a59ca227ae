/* SPDX-License-Identifier: MIT */
/* memory.h - the arenas that the interpreter's data lie in: Acre's, or what stands for them in
 * other versions.
 *
 * The interpreter is written with the arenas of <acre/scope.h>: acre-cc checks what it stores in
 * them, and a key that is dropped takes its arena along.  There are two more versions of the same
 * sources to compare with:
 *
 *   PLAIN_ARENAS          no Acre at all: an arena is a list of blocks from malloc, and nobody
 *                         checks anything.  With PLAIN_ARENA_BLOCK=0 each object has its own block,
 *                         for sanitizers to see its end.
 *   EVERYTHING_COLLECTED  arenas and the collector are gone; memory comes from the collected heap.
 */
#ifndef SCHEME_MEMORY_H
#define SCHEME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(PLAIN_ARENAS)

#define unique
#define borrowed
#define sameregion
#define traditional
#define inregion(holder)

typedef struct plain_arena acre_key;
typedef acre_key *region;
/* Null when memory is out. */
acre_key *plain_arena_new(void);
void plain_arena_free(acre_key *arena);
void *plain_arena_alloc(acre_key *arena, size_t size);
void *plain_arena_root(acre_key *arena);
#define ARENA_BYTES() ((size_t)0)
#define acre_key_new() plain_arena_new()
#define acre_key_drop(key) plain_arena_free(key)
#define acre_open(r, key) region const r = (key)
#define acre_root(T, r) (*(T **)plain_arena_root(r))
#define acre_own_exchange(slot, value)  \
  __extension__({                       \
    __typeof__(*(slot)) old_ = *(slot); \
    *(slot) = (value);                  \
    old_;                               \
  })
#define acre_swap(slot, value) acre_own_exchange((slot), (value))
#define acre_take(slot) acre_swap(slot, NULL)
#define ralloc(r, T) ((T *)plain_arena_alloc((r), sizeof(T)))
#define rarrayalloc(r, n, T) ((__typeof__(T) *)plain_arena_alloc((r), (n) * sizeof(T)))
#define ralloc_with(r, T, tail) ((T *)plain_arena_alloc((r), sizeof(T) + (tail)))

#elif defined(EVERYTHING_COLLECTED)

#include "../events/discipline.h"
#define traditional
#define inregion(holder)
#define ARENA_BYTES() ((size_t)0)
#define rarrayalloc(r, n, T) ((void)(r), (__typeof__(T) *)calloc((n), sizeof(T)))
#define ralloc_with(r, T, tail) ((void)(r), (T *)calloc(1, sizeof(T) + (tail)))

#else

#include <acre/own.h>
#include <acre/scope.h>
/* What the arenas have from the system, beside malloc's. */
static inline size_t memory_of_arenas(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  return stats.bytes_reserved;
}
#define ARENA_BYTES() memory_of_arenas()
/* A T with so many bytes of flexible array member. */
#define ralloc_with(r, T, tail) \
  ((T *)acre_region_alloc((r), sizeof(T) + (tail), ACRE_ALIGNOF_(T), ACRE_TYPE(T)))

#endif

#endif
