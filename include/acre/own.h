/* SPDX-License-Identifier: MIT */
/* own.h - exclusive pointers: who frees an object, checked when the program is compiled.
 *
 * After "Experience With Safe Manual Memory-Management in Cyclone" (Hicks, Morrisett, Grossman,
 * Jim, 2004).
 *
 * T *unique p (section 3): the only pointer that the object may be used through.  Copying it to
 * another unique pointer, passing it to a unique parameter, returning or freeing it consumes it: p
 * may not be used again until it is assigned.  It may be null, which owns nothing.
 *
 * T *borrowed p (section 3.1), on parameters, results and local variables: a pointer to what
 * somebody else owns.  It may be used and lent on, and is not kept: not stored in memory, not
 * freed, not used after its owner is consumed.  A parameter without the word borrows if the
 * function's body is seen to keep nothing.
 *
 * T *refcounted p (section 3.2): a reference to an object with a hidden count, followed like a
 * unique pointer.  acre_rc_alias makes another reference, acre_rc_drop consumes one, and the last
 * one frees the object.
 *
 * T *refcounted borrowed p: a reference that somebody else holds.  Unlike what is only borrowed, it
 * may be given to acre_rc_alias and acre_weak_new.
 *
 * T *unique *acre_out p: a place that owns nothing when the function is called.  The function
 * leaves an owner there, or null if its result says that it failed (an int but 0, false, a null
 * pointer).  S *acre_out p: a structure whose unique pointers own nothing yet.
 *
 * acre_alias lends an object for a block: its copies may lie in structures there, and all end with
 * it.
 *
 * A unique or counted pointer in memory - a field, an array element, a variable that is no local
 * one - is used in place, and taken out with acre_swap or acre_take alone.
 *
 * Unique and borrowed pointers are nothing at run time: every object is malloc's.  References need
 * libacre.  Under another compiler than acre-cc the words are nothing.  acre.h does not include
 * this header, because its short words are names that programs use; annotations.h says how to leave
 * some or all of them.
 */
#ifndef ACRE_OWN_H
#define ACRE_OWN_H

#include <stddef.h>

#include <acre/annotations.h>
#include <acre/truth.h>
#include <acre/type.h>

#if defined(__ACRE__)
#define ACRE_UNIQUE ACRE_ANNOTATION_("acre.unique")
#define ACRE_BORROWED ACRE_ANNOTATION_("acre.borrowed")
#define ACRE_REFCOUNTED ACRE_ANNOTATION_("acre.refcounted")
#define ACRE_OUT ACRE_ANNOTATION_("acre.out")
#else
#define ACRE_UNIQUE
#define ACRE_BORROWED
#define ACRE_REFCOUNTED
#define ACRE_OUT
#endif

/* Not in C++, whose library uses them. */
#if !defined(__cplusplus)
#if !defined(ACRE_NO_unique) && (ACRE_SHORT_ || defined(ACRE_USE_unique))
#define unique ACRE_UNIQUE
#endif
#if !defined(ACRE_NO_borrowed) && (ACRE_SHORT_ || defined(ACRE_USE_borrowed))
#define borrowed ACRE_BORROWED
#endif
#if !defined(ACRE_NO_refcounted) && (ACRE_SHORT_ || defined(ACRE_USE_refcounted))
#define refcounted ACRE_REFCOUNTED
#endif
#define acre_out ACRE_OUT
#if !defined(ACRE_NO_rc_new) && (ACRE_SHORT_ || defined(ACRE_USE_rc_new))
#define rc_new acre_rc_new
#endif
#if !defined(ACRE_NO_rc_alias) && (ACRE_SHORT_ || defined(ACRE_USE_rc_alias))
#define rc_alias acre_rc_alias
#endif
#if !defined(ACRE_NO_rc_drop) && (ACRE_SHORT_ || defined(ACRE_USE_rc_drop))
#define rc_drop acre_rc_drop
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
typedef void *__attribute__((__may_alias__)) acre_any_pointer_;
#else
typedef void *acre_any_pointer_;
#endif

/* acre_swap is a macro over this function, because acre-cc knows a swap by the name of the call. */
static __inline void *acre_own_swap(void *slot, void *value) {
  acre_any_pointer_ *place = (acre_any_pointer_ *)slot;
  void *old = *place;
  *place = value;
  return old;
}

/* What acre_release calls; acre-cc knows by it that the owner is given up. */
static __inline void *acre_own_release(void *p) { return p; }

/* acre_alias is a macro over these two: acre-cc knows the loan by the first call, and its end by
 * the second, which is the cleanup of the block. */
static __inline void *acre_own_alias(const volatile void *p) { return (void *)p; }
#if defined(__GNUC__)
static __inline void acre_own_alias_end(const char *block) { (void)block; }
#endif

/* -- References: constant time each; an object's count is in front of it ----------------------- */

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
/* An object of size bytes of zero with one reference, aligned as by malloc; null when memory is
   out.  A shared one may be referred to by several threads: its counts change atomically. */
void *acre_ref_new(size_t size);
void *acre_ref_new_shared(size_t size);
/* As above for an object of the type that site names: the drop of the last reference drops what it
 * owns. */
void *acre_ref_new_of(size_t size, const acre_site *site);
void *acre_ref_new_shared_of(size_t size, const acre_site *site);
/* Another reference to what p refers to; null is allowed.  Aborts if an object would have 2^32
 * references. */
void *acre_ref_alias(void *ACRE_REFCOUNTED ACRE_BORROWED p);
/* Gives the reference p back, which consumes it; null is allowed.  The last one frees the object
 * and what it owns: O(objects freed). */
void acre_ref_drop(void *p);
/* How many references there are; 0 for null. */
size_t acre_ref_count(const void *ACRE_REFCOUNTED ACRE_BORROWED p);

/* Objects that refer to each other in a circle are never freed: one of the references should be
   weak.  With ACRE_CHECK=cycles in the environment of a program, this writes to stderr which
   objects of acre_rc_new nothing but a cycle keeps alive, where they were allocated and by which
   fields they refer to each other, and returns how many there are; it is also done when the program
   exits.  No other thread may change references meanwhile.  Without it returns 0. */
size_t acre_check_cycles(void);

/* A weak reference does not keep its object.  It is an object of its own, which acre_weak_drop
 * frees. */
typedef struct acre_weak acre_weak;
/* Null when memory is out, or p is. */
acre_weak *ACRE_UNIQUE acre_weak_new(const void *ACRE_REFCOUNTED ACRE_BORROWED p);
/* A reference to the object, or null if there is none any more. */
void *acre_ref_of_weak(const acre_weak *ACRE_BORROWED weak);
void acre_weak_drop(acre_weak *ACRE_UNIQUE weak);

/* acre_drop and acre_drop_array are macros over these, which add the type.  O(objects dropped). */
void acre_own_drop(void *p, const acre_site *site);
void acre_own_drop_array(void *p, size_t count, const acre_site *site);
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

/* A new T of zero: a reference, or null when memory is out. */
#define acre_rc_new(T) ((T *)acre_ref_new_of(sizeof(T), ACRE_TYPE(T)))
#define acre_rc_new_shared(T) ((T *)acre_ref_new_shared_of(sizeof(T), ACRE_TYPE(T)))
/* Another reference to what p refers to, which is not consumed. */
#if defined(__GNUC__)
#define acre_rc_alias(p) ((__typeof__(&*(p)))acre_ref_alias(p))
#else
#define acre_rc_alias(p) acre_ref_alias(p)
#endif
/* Consumes p. */
#define acre_rc_drop(p) acre_ref_drop(p)
/* A reference of type T * to what the weak reference refers to, or null. */
#define acre_weak_get(T, weak) ((T *)acre_ref_of_weak(weak))

/* Consumes p, a unique pointer: drops what the object owns, then frees it.  What it owns is in the
   unique and counted pointers of its type, which must be initialized; what they point to dies in
   the same way, without recursion.  A unique pointer is followed as one to a single object:
   acre_drop_array is for those to count objects.  Under another compiler than acre-cc, and where
   the type is not complete, only the object itself is freed, as by free. */
#if defined(__GNUC__)
#define acre_drop(p) acre_own_drop((p), ACRE_TYPE(__typeof__(*(p))))
#define acre_drop_array(p, count) acre_own_drop_array((p), (count), ACRE_TYPE(__typeof__(*(p))))
#else
#define acre_drop(p) acre_own_drop((p), 0)
#define acre_drop_array(p, count) acre_own_drop_array((p), (count), 0)
#endif

/* Lends the object of p, a unique, counted or borrowed pointer, for the rest of the block, under
   the name a.  Within the block a may be copied as a plain pointer may: to variables, to functions
   that keep nothing, and to structures and arrays that are declared in the block, which may be
   given to functions of the C library.  No copy may leave the block, and until it ends p is not
   consumed or assigned, and what hangs below it is changed through a alone.  Then p owns its object
   as before. A declaration, so that every way out of the block ends it; jumps into the block are
   errors.  Nothing is done at run time. */
#if defined(__GNUC__)
#define acre_alias(a, p)                                                          \
  const char a##_alias_ __attribute__((cleanup(acre_own_alias_end), unused)) = 0; \
  __typeof__(*(p)) *const a __attribute__((unused)) = (__typeof__(*(p)) *)acre_own_alias(p)
#endif

/* Consumes p, a unique or counted pointer, and returns it as a plain one: code without owners has
   the object from now on, and frees it.  A cast to unique takes it back. */
#if defined(__GNUC__)
#define acre_release(p) ((__typeof__(&*(p)))acre_own_release(p))
/* The same address as p as a plain pointer that is not followed, for a field that points back to an
   object which owns this one, or to a neighbour that outlives it.  Nothing checks that it does. */
#define acre_unowned(p) ((__typeof__(&*(p)))(__UINTPTR_TYPE__)(p))
#else
#define acre_release(p) acre_own_release(p)
#define acre_unowned(p) (p)
#endif

/* Puts value, which is consumed, in *slot and returns what was there.  slot points to a unique
 * pointer, to an object of value's type. */
#if defined(__GNUC__)
#define acre_swap(slot, value) ((__typeof__(*(slot)))acre_own_swap((slot), (value)))
#else
#define acre_swap(slot, value) acre_own_swap((slot), (value))
#endif
/* Returns what was in *slot and leaves null there. */
#define acre_take(slot) acre_swap(slot, 0)

#endif
