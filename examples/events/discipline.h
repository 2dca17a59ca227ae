/* discipline.h - who frees objects: their owners, or nobody.
 *
 * The programs that include this are written with the words of <acre/own.h>, which acre-cc checks and which mean
 * nothing to other compilers.  With EVERYTHING_COLLECTED the same sources have no owners: the words are gone, free()
 * does nothing and references are pointers.  That is for acre-cc -facre-malloc=collected, to compare the two.
 */
#ifndef EVENTS_DISCIPLINE_H
#define EVENTS_DISCIPLINE_H

#ifndef EVERYTHING_COLLECTED
#include <acre/own.h>
#else
#include <stdlib.h>

#define unique
#define borrowed
#define refcounted
#define free(p) ((void)(p))
#define acre_ref_new(size) calloc(1, (size))
#define rc_alias(p) (p)
#define rc_drop(p) ((void)(p))
#define acre_swap(slot, value) ((__typeof__(*(slot)))events_exchange((void **)(slot), (value)))
#define acre_take(slot) acre_swap(slot, NULL)

static inline void *events_exchange(void **slot, void *value) {
  void *old = *slot;
  *slot = value;
  return old;
}
#endif

#endif
