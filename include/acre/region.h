/* SPDX-License-Identifier: MIT */
/* region.h - counted regions: objects that share a lifetime, deleted together, and only when it is
 * safe.
 *
 * The API of Figure 2 of "Language Support for Regions" (Gay, Aiken, PLDI 2001) and what RC
 * programs call besides.  A region belongs to the thread that made it, or has taken it.  All memory
 * from a region is zeroed.
 *
 * A region handle is not a pointer into memory: it names a region and a generation, so that the use
 * of a handle whose region is gone is always caught, and handles are not counted as references.
 *
 * Errors: misuse (a dead or null handle, another thread's region) aborts with a message.  Out of
 * memory calls the out-of-memory handler; if that returns false or there is none, the allocation
 * aborts with a message.
 */
#ifndef ACRE_REGION_H
#define ACRE_REGION_H

#include <stddef.h>
#include <stdint.h>

#include <acre/annotations.h>
#include <acre/bump.h>
#include <acre/truth.h>
#include <acre/type.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* What deleting a region that is still referenced does. */
typedef enum acre_delete_policy {
  ACRE_DELETE_ABORT = 0,  /* report who still points in, then abort() */
  ACRE_DELETE_REFUSE = 1, /* return false; nothing has changed */
  ACRE_DELETE_DEFER = 2,  /* return true; the region goes at a later delete or reclaim */
  /* Return true; the region goes with all below it, and what still points in becomes null.  What
     only frames hold, and what cannot be changed, keeps the memory until a later delete or reclaim.
   */
  ACRE_DELETE_SEVER = 3,
  /* The same, but what points in becomes an address whose use ends the program with a message. */
  ACRE_DELETE_TRAP = 4
} acre_delete_policy;

#define ACRE_STRINGIFY_(x) #x
#define ACRE_STRINGIFY(x) ACRE_STRINGIFY_(x)
#define ACRE_HERE __FILE__ ":" ACRE_STRINGIFY(__LINE__)

/* -- Life -------------------------------------------------------------------------------------- */

/* A new region of the calling thread, or a new subregion of parent.  here names the creation site
 * ("file:line") and is kept by reference.  Out of memory is as in allocation.  O(1). */
acre_region acre_region_new(const char *here);
acre_region acre_region_new_sub(acre_region parent, const char *here);

/* Deletes region and frees its objects.  Refused, under the policy in force, while it has live
   subregions or references from outside.  Returns whether the region is gone (or, deferred, will
   go).  O(pages). */
acre_bool acre_region_delete(acre_region region, const char *here) ACRE_DELETES;
/* Sets *region to null, then deletes what it named; on refusal *region is put back. */
acre_bool acre_region_delete_ptr(acre_region *region, const char *here) ACRE_DELETES;
/* Deletes count regions together, all or none: references among them do not count, so this is how
   regions that refer to each other go.  O(pages of all of them). */
acre_bool acre_region_delete_array(size_t count, acre_region *regions,
                                   const char *here) ACRE_DELETES;
/* What a clear does with subregions. */
typedef enum acre_subregions {
  ACRE_SUBREGIONS_DELETE = 0, /* they go too */
  ACRE_SUBREGIONS_KEEP = 1    /* they stay; what they hold refers to the region like all else */
} acre_subregions;
/* Frees all objects of region, which stays as it is in all else: its handle, its place in the tree,
   limit and policy, and the first 255 bytes of its name.  Refused, under the policy in force, as a
   delete is; where that is to defer it is refused too.  Returns whether the region is empty.
   O(pages), and with subregions that stay O(bytes of their objects). */
acre_bool acre_region_clear(acre_region region, acre_subregions subregions,
                            const char *here) ACRE_DELETES;
/* Gives p, an object of region or null, back before region goes.  Refused, under the policy in
   force, while anything refers to it, in region itself too.  Its memory is used again at once if
   the object is larger than 16 KiB, or was allocated last; else when region goes.  Returns whether
   the object is gone.  Aborts if p is not the start of an object of region, or was given back
   before.  O(bytes of the objects of region and those below it). */
acre_bool acre_region_release_at(acre_region region, void *p, const char *here) ACRE_DELETES;
#define acre_region_release(region, p) acre_region_release_at((region), (p), ACRE_HERE)
/* Moves region, with those below it, below parent.  What is above region stays above it, because
   checks have been removed for that reason: so region has no parent yet, or one that parent is
   below.  Else nothing changes, and false is returned; but the program ends with a message if
   region's policy is to abort.  A null parent is right for a region that has none.  A region that a
   block or a key ends (scope.h) does not move.  O(regions below + records in their objects). */
acre_bool acre_region_reparent_at(acre_region region, acre_region parent, const char *here);
#define acre_region_reparent(region, parent) acre_region_reparent_at((region), (parent), ACRE_HERE)
/* Gives region, with those below it, away: it belongs to no thread from then on, until one takes
   it, so its handle is to be passed on (by a queue, say) or it is lost.  Region is a root, and
   closed: nothing outside refers to it or those below it, no local variable either that is still
   used, and nothing there refers to other regions, but to the permanent one.  Memory that is in no
   region is not looked at: what both threads reach there is shared.  Else nothing changes, and
   false is returned; but the program ends with a message that says what refers to what if region's
   policy is to abort.  No slot is severed.  Refused is also a region that a block or a key ends.
   The caller's use of the handle afterwards ends the program with a message.
   O(regions below), and O(pages + records) of those of them that ever referred to another region;
   when it is to be refused O(all records), as for a delete. */
acre_bool acre_region_give_at(acre_region region, const char *here) ACRE_DELETES;
#define acre_region_give(region) acre_region_give_at((region), ACRE_HERE)
/* Takes region, with those below it: it belongs to the calling thread from then on.  A thread has
   given it away, or the one that it belonged to has ended, joined or not; what refers to a region
   that was left so is not looked at.  What the other thread did there before is seen.  True also
   if it is the caller's already.  Else false is returned, because another thread was first, region
   is not a root, or a block or a key ends it; but the program ends with a message if region's
   policy is to abort.  O(regions below), for one that was left also O(threads). */
acre_bool acre_region_take_at(acre_region region, const char *here);
#define acre_region_take(region) acre_region_take_at((region), ACRE_HERE)
/* Deletes this thread's deferred regions to which nothing refers any more.  Returns how many. */
size_t acre_region_reclaim(void) ACRE_DELETES;

void acre_set_delete_policy(acre_delete_policy policy); /* default for all regions */
void acre_region_set_delete_policy(acre_region region, acre_delete_policy policy); /* this one */
void acre_region_set_name(acre_region region, const char *name); /* shown in reports; copied */
void acre_region_set_limit(acre_region region,
                           size_t bytes); /* 0: none.  Past it: as out of memory */

/* -- Allocation -------------------------------------------------------------------------------- */

/* size bytes, aligned to align (a power of two), zeroed.  site says what is in them; null: unknown,
   treated as if every word may be a pointer.  A type without pointer slots goes to the pointer-free
   allocator. */
void *acre_region_alloc(acre_region region, size_t size, size_t align, const acre_site *site);
/* count elements; aborts as out of memory when count * size overflows. */
void *acre_region_alloc_array(acre_region region, size_t count, size_t size, size_t align,
                              const acre_site *site);
/* old with count elements, in the same region, as realloc; null for old makes a new array.  If old
   is not the last object of its block the result is a copy, and old's memory stays unused until
   the region is deleted.  O(size of the result). */
void *acre_region_extend_array(acre_region region, void *old, size_t count, size_t size,
                               size_t align, const acre_site *site);
void *acre_region_copy_array(acre_region region, const void *from, size_t count, size_t size,
                             size_t align, const acre_site *site);
/* size bytes that never hold a pointer, so no delete looks at them: text, numbers. */
char *acre_region_alloc_bytes(acre_region region, size_t size);
char *acre_region_strdup(acre_region region, const char *string);
/* The same; site says where, and that it is of char. */
char *acre_region_strdup_at(acre_region region, const char *string, const acre_site *site);
char *acre_region_extend_bytes(acre_region region, char *old, size_t size);

/* -- Questions --------------------------------------------------------------------------------- */

/* The region of the object that p points to or just past; the traditional region for any other
   non-null pointer; null for null.  O(1). */
acre_region acre_region_of(const void *p);
acre_region acre_region_traditional(void); /* code, globals, stacks, malloc memory: never deleted */
acre_region acre_region_permanent(void);   /* allocated in, never deleted, never counted */
acre_region acre_region_parent(acre_region region);                          /* null for a root */
acre_bool acre_region_is_ancestor(acre_region ancestor, acre_region region); /* reflexive; O(1) */
acre_bool acre_region_is_live(acre_region region);
const char *acre_region_name(acre_region region);

/* To be called after pointers were written to [address, address+size) in a way that Acre cannot see
   (read from a file, copied as single bytes, stored by code that acre-cc did not compile): counts
   what is there now.  O(size). */
void acre_rescan(void *address, size_t size);

/* The count that a delete would look at: references from outside the region and those below it, and
   locals of waiting callers.  Stale records are counted too, since nothing is healed here. */
size_t acre_region_count(acre_region region);

typedef struct acre_region_stats {
  size_t objects;         /* allocated since creation */
  size_t bytes_requested; /* by the program */
  size_t bytes_reserved;  /* pages held */
  size_t references;      /* the count */
  size_t subregions;      /* live children */
} acre_region_stats;
void acre_region_get_stats(acre_region region, acre_region_stats *stats);

typedef struct acre_stats {
  size_t regions_created, regions_live, objects, bytes_requested, bytes_reserved, bytes_peak;
  size_t stores_counted; /* slow-path barriers that changed a count */
  size_t stores_checked; /* checks of annotated stores that needed more than their inline test */
  size_t records_healed; /* records found stale: memory overwritten by untracked code */
} acre_stats;
void acre_get_stats(acre_stats *stats);

/* -- Evidence ---------------------------------------------------------------------------------- */

/* Recounts every region from scratch and compares.  Returns whether all agree; differences go to
   stderr. ACRE_VERIFY=1 in the environment runs it at each delete and at exit, and aborts on a
   difference. */
acre_bool acre_verify(void);
/* Writes who points into region to file descriptor fd, at most limit referrers.  Returns how many
 * there are. */
size_t acre_region_report(acre_region region, int fd, size_t limit);

/* Called with the bytes wanted when memory runs out; may free some and return true to try again. */
typedef acre_bool (*acre_oom_handler)(size_t bytes);
acre_oom_handler acre_set_oom_handler(acre_oom_handler handler);

#if defined(__cplusplus)
#define ACRE_ALIGNOF_(T) alignof(T)
#else
#define ACRE_ALIGNOF_(T) __extension__ _Alignof(T) /* also before C11 */
#endif

#pragma GCC visibility pop

/* Allocation in line (bump.h).  acre-cc gets the calls: its passes know them by name, and the last
   one puts the same code in their place. */
#if defined(ACRE_BUMP_INLINE)
#define ACRE_ALLOC_(r, size, align, site) acre_bump_alloc_((r), (size), (align))
#define ACRE_ALLOC_ARRAY_(r, n, size, align, site) acre_bump_alloc_array_((r), (n), (size), (align))
#define ACRE_ALLOC_BYTES_(r, size) acre_bump_alloc_bytes_((r), (size))
#else
#define ACRE_ALLOC_(r, size, align, site) acre_region_alloc((r), (size), (align), (site))
#define ACRE_ALLOC_ARRAY_(r, n, size, align, site) \
  acre_region_alloc_array((r), (n), (size), (align), (site))
#define ACRE_ALLOC_BYTES_(r, size) acre_region_alloc_bytes((r), (size))
#endif

/* -- The same, where the call tells place and type --------------------------------------------- */

#define acre_newregion() acre_region_new(ACRE_HERE)
#define acre_newsubregion(parent) acre_region_new_sub((parent), ACRE_HERE)
#define acre_deleteregion(r) acre_region_delete((r), ACRE_HERE)
#define acre_deleteregion_ptr(p) acre_region_delete_ptr((p), ACRE_HERE)
#define acre_deleteregion_array(n, ...) acre_region_delete_array((n), (__VA_ARGS__), ACRE_HERE)
#define acre_clearregion(r) acre_region_clear((r), ACRE_SUBREGIONS_DELETE, ACRE_HERE)
#define acre_clearregion_only(r) acre_region_clear((r), ACRE_SUBREGIONS_KEEP, ACRE_HERE)
#define acre_giveregion(r) acre_region_give(r)
#define acre_takeregion(r) acre_region_take(r)
#define acre_regionof(p) acre_region_of(p)
#define acre_ralloc(r, T) \
  ((__typeof__(T) *)ACRE_ALLOC_((r), sizeof(T), ACRE_ALIGNOF_(T), ACRE_TYPE(T)))
#define acre_rarrayalloc(r, n, T) \
  ((__typeof__(T) *)ACRE_ALLOC_ARRAY_((r), (n), sizeof(T), ACRE_ALIGNOF_(T), ACRE_TYPE(T)))
#define acre_rarrayextend(r, old, n, T)                                                    \
  ((__typeof__(T) *)acre_region_extend_array((r), (old), (n), sizeof(T), ACRE_ALIGNOF_(T), \
                                             ACRE_TYPE(T)))
#define acre_rarraycopy(r, from, n, T)                                                    \
  ((__typeof__(T) *)acre_region_copy_array((r), (from), (n), sizeof(T), ACRE_ALIGNOF_(T), \
                                           ACRE_TYPE(T)))
#ifdef __ACRE_SITES__ /* -facre-sites: strings say where they were allocated */
#define acre_rstralloc(r, n) ((char *)acre_region_alloc_array((r), (n), 1, 1, ACRE_TYPE(char)))
#define acre_rstrdup(r, s) acre_region_strdup_at((r), (s), ACRE_TYPE(char))
#else
#define acre_rstralloc(r, n) ACRE_ALLOC_BYTES_((r), (n))
#define acre_rstrdup(r, s) acre_region_strdup((r), (s))
#endif
#define acre_rstrextend(r, old, n) acre_region_extend_bytes((r), (old), (n))

/* Under the names of the paper, each by itself: annotations.h says how to leave one. */
#if !defined(ACRE_NO_region) && (ACRE_SHORT_ || defined(ACRE_USE_region))
typedef acre_region region;
#endif
#if !defined(ACRE_NO_newregion) && (ACRE_SHORT_ || defined(ACRE_USE_newregion))
#define newregion() acre_newregion()
#endif
#if !defined(ACRE_NO_newsubregion) && (ACRE_SHORT_ || defined(ACRE_USE_newsubregion))
#define newsubregion(parent) acre_newsubregion(parent)
#endif
#if !defined(ACRE_NO_deleteregion) && (ACRE_SHORT_ || defined(ACRE_USE_deleteregion))
#define deleteregion(r) acre_deleteregion(r)
#endif
#if !defined(ACRE_NO_deleteregion_ptr) && (ACRE_SHORT_ || defined(ACRE_USE_deleteregion_ptr))
#define deleteregion_ptr(p) acre_deleteregion_ptr(p)
#endif
#if !defined(ACRE_NO_deleteregion_array) && (ACRE_SHORT_ || defined(ACRE_USE_deleteregion_array))
#define deleteregion_array(n, ...) acre_deleteregion_array(n, __VA_ARGS__)
#endif
#if !defined(ACRE_NO_clearregion) && (ACRE_SHORT_ || defined(ACRE_USE_clearregion))
#define clearregion(r) acre_clearregion(r)
#endif
#if !defined(ACRE_NO_clearregion_only) && (ACRE_SHORT_ || defined(ACRE_USE_clearregion_only))
#define clearregion_only(r) acre_clearregion_only(r)
#endif
#if !defined(ACRE_NO_giveregion) && (ACRE_SHORT_ || defined(ACRE_USE_giveregion))
#define giveregion(r) acre_giveregion(r)
#endif
#if !defined(ACRE_NO_takeregion) && (ACRE_SHORT_ || defined(ACRE_USE_takeregion))
#define takeregion(r) acre_takeregion(r)
#endif
#if !defined(ACRE_NO_regionof) && (ACRE_SHORT_ || defined(ACRE_USE_regionof))
#define regionof(p) acre_regionof(p)
#endif
#if !defined(ACRE_NO_traditional_region) && (ACRE_SHORT_ || defined(ACRE_USE_traditional_region))
#define traditional_region acre_region_traditional()
#endif
#if !defined(ACRE_NO_permanent_region) && (ACRE_SHORT_ || defined(ACRE_USE_permanent_region))
#define permanent_region acre_region_permanent()
#endif
#if !defined(ACRE_NO_ralloc) && (ACRE_SHORT_ || defined(ACRE_USE_ralloc))
#define ralloc(r, T) acre_ralloc(r, T)
#endif
#if !defined(ACRE_NO_rarrayalloc) && (ACRE_SHORT_ || defined(ACRE_USE_rarrayalloc))
#define rarrayalloc(r, n, T) acre_rarrayalloc(r, n, T)
#endif
#if !defined(ACRE_NO_rarrayextend) && (ACRE_SHORT_ || defined(ACRE_USE_rarrayextend))
#define rarrayextend(r, old, n, T) acre_rarrayextend(r, old, n, T)
#endif
#if !defined(ACRE_NO_rarraycopy) && (ACRE_SHORT_ || defined(ACRE_USE_rarraycopy))
#define rarraycopy(r, from, n, T) acre_rarraycopy(r, from, n, T)
#endif
#if !defined(ACRE_NO_rstralloc) && (ACRE_SHORT_ || defined(ACRE_USE_rstralloc))
#define rstralloc(r, n) acre_rstralloc(r, n)
#endif
#if !defined(ACRE_NO_rstrdup) && (ACRE_SHORT_ || defined(ACRE_USE_rstrdup))
#define rstrdup(r, s) acre_rstrdup(r, s)
#endif
#if !defined(ACRE_NO_rstrextend) && (ACRE_SHORT_ || defined(ACRE_USE_rstrextend))
#define rstrextend(r, old, n) acre_rstrextend(r, old, n)
#endif

#ifdef __cplusplus
}
#endif
#endif
