/* own.h - exclusive pointers: who frees an object, checked when the program is compiled.
 *
 * After "Experience With Safe Manual Memory-Management in Cyclone" (Hicks, Morrisett, Grossman, Jim, 2004).
 *
 *   T *unique p     the only pointer that the object may be used through.  Copying it to another unique pointer, passing
 *                   it to a unique parameter, returning or freeing it consumes it: p may not be used again until it is
 *                   assigned.  May be null, which owns nothing.                                       (section 3)
 *   T *borrowed p   on parameters, results and local variables: a pointer that somebody else owns.  It may be used and
 *                   lent on, and is not kept: not stored in memory, not freed, not used after its owner is consumed
 *                   (section 3.1).  A parameter without the word borrows if the function's body is seen to.
 *
 * A unique pointer in memory - a field, an array element, a variable that is no local one - is used in place, and taken
 * out with acre_swap or acre_take alone.
 *
 * Nothing here exists at run time: every object is malloc's, and under another compiler than acre-cc the words are
 * nothing.  acre.h does not include this header, because its short words are names that programs use.  Define
 * ACRE_NO_SHORT_NAMES to get only the names that begin with ACRE_ and acre_.
 */
#ifndef ACRE_OWN_H
#define ACRE_OWN_H

#include <acre/annotations.h>

#if defined(__ACRE__)
#define ACRE_UNIQUE ACRE_ANNOTATION_("acre.unique")
#define ACRE_BORROWED ACRE_ANNOTATION_("acre.borrowed")
#else
#define ACRE_UNIQUE
#define ACRE_BORROWED
#endif

#ifndef ACRE_NO_SHORT_NAMES
#define unique ACRE_UNIQUE
#define borrowed ACRE_BORROWED
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
typedef void *__attribute__((__may_alias__)) acre_any_pointer_;
#else
typedef void *acre_any_pointer_;
#endif

/* What acre_swap calls, so that the compiler knows it by its name. */
static inline void *acre_own_swap(void *slot, void *value) {
  acre_any_pointer_ *place = (acre_any_pointer_ *)slot;
  void *old = *place;
  *place = value;
  return old;
}

#ifdef __cplusplus
}
#endif

/* Puts value, which is consumed, in *slot and returns what was there.  slot points to a unique pointer. */
#if defined(__GNUC__)
#define acre_swap(slot, value) ((__typeof__(*(slot)))acre_own_swap((slot), (value)))
#else
#define acre_swap(slot, value) acre_own_swap((slot), (value))
#endif
/* Returns what was in *slot and leaves null there. */
#define acre_take(slot) acre_swap(slot, 0)

#endif
