/* SPDX-License-Identifier: MIT */
/* discipline.h - who frees objects: their owners, or nobody.
 *
 * The programs that include this are written with the words of <acre/own.h>, which acre-cc checks
 * and which mean nothing to other compilers.  With EVERYTHING_COLLECTED the same sources have no
 * owners: the words are gone, free() does nothing and references are pointers.  That is for acre-cc
 * -facre-malloc=collected, to compare the two.
 */
#ifndef EVENTS_DISCIPLINE_H
#define EVENTS_DISCIPLINE_H

#ifndef EVERYTHING_COLLECTED
#include <acre/own.h>
#include <acre/scope.h>
#else
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define unique
#define borrowed
#define refcounted
#define free(p) ((void)(p))
#define acre_ref_new(size) calloc(1, (size))
#define acre_ref_count(p) ((p) ? 2 : 0) /* it may be shared: nobody counts */
#define rc_alias(p) (p)
#define rc_drop(p) ((void)(p))
#define acre_swap(slot, value) ((__typeof__(*(slot)))events_exchange((void **)(slot), (value)))
#define acre_take(slot) acre_swap(slot, NULL)

/* Arenas are just memory, and a key is where their root is. */
typedef struct acre_key acre_key;
typedef acre_key *region;
#define sameregion
#define acre_key_new() ((acre_key *)calloc(1, sizeof(void *)))
#define acre_key_drop(key) ((void)(key))
#define acre_open(r, key) region const r = (key)
#define acre_root(T, r) (*(T **)(void *)(r))
#define ralloc(r, T) ((void)(r), (T *)calloc(1, sizeof(T)))
#define rstrdup(r, text) ((void)(r), strdup(text))

static inline void *events_exchange(void **slot, void *value) {
  void *old = *slot;
  *slot = value;
  return old;
}
#endif

#endif
