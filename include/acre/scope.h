/* SPDX-License-Identifier: MIT */
/* scope.h - regions for a block, and arenas that live as long as their keys.
 *
 * After "Experience With Safe Manual Memory-Management in Cyclone" (2004), sections 2.1 and 3.3.
 *
 * A region for the rest of a block, which every way out of the block deletes (section 2.1):
 *
 *   {
 *     acre_scoped_region(r);
 *     struct node *n = ralloc(r, struct node);
 *     ...
 *   }
 *
 * An arena, closed at first, and its only key (section 3.3).  While a block has it open it is the
 * region r; dropping the key frees it:
 *
 *   acre_key *unique key = acre_key_new();
 *   {
 *     acre_open(r, key);
 *     acre_root(struct node, r) = ralloc(r, struct node);
 *     ...
 *   }
 *   acre_key_drop(key);
 *
 * Both are declarations, so that break, continue, goto and return keep their meaning.  A pointer
 * into such a region is for its block: acre-cc reports those that are stored outside, returned or
 * used after it where that is certain (ACRE-U017, U018), and what it cannot decide is decided when
 * the block ends, by the region's count: the program ends with a message that says who still points
 * in.  A function with such a block need not be deletes.  A block that longjmp leaves ends when
 * setjmp returns, and a region that is still referenced then goes when nothing refers to it.
 *
 * A reference-counted key (acre_key_new_counted) is one of several: rc_alias makes another, rc_drop
 * gives one back, the last one frees the arena; while an arena is open it has one more.  A shared
 * one (acre_key_new_shared) may be used by several threads: acre_open waits until no other thread
 * has the arena open, so all have to open several of them in one order.  A thread may open an arena
 * that it has open already; only the outermost block closes it.  What closed arenas hold can be
 * reached by their keys alone.
 *
 * Errors end the program with a message: a null key, a key that is not shared opened by two threads
 * at once, threads that would wait for each other's shared arenas for ever, a unique key dropped
 * while its arena is open, a handle used while its arena is closed.
 */
#ifndef ACRE_SCOPE_H
#define ACRE_SCOPE_H

#include <acre/own.h>
#include <acre/region.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_key acre_key;
/* The state that a declaration below keeps in the function's frame until its block ends. */
typedef struct acre_scope {
  uintptr_t words_[4];
} acre_scope;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
acre_region acre_scope_enter(acre_scope *scope, const char *here);
acre_region acre_scope_open(acre_scope *scope, acre_key *ACRE_BORROWED key, const char *here);
void acre_scope_leave(acre_scope *scope);

acre_key *ACRE_UNIQUE acre_key_make(const char *here);
acre_key *ACRE_REFCOUNTED acre_key_make_counted(const char *here);
acre_key *ACRE_REFCOUNTED acre_key_make_shared(const char *here);
/* Consumes a unique key; null is allowed. */
void acre_key_drop(acre_key *ACRE_UNIQUE key);

/* The address of a slot in the region itself, null at first, from which the rest of what is there
 * can be reached. */
void *acre_region_root(acre_region region);
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#define acre_scoped_region(r)                                               \
  acre_scope r##_scope_ __attribute__((cleanup(acre_scope_leave))) = {{0}}; \
  acre_region const r __attribute__((unused)) = acre_scope_enter(&r##_scope_, ACRE_HERE)
/* key is not consumed, and cannot be before the block ends. */
#define acre_open(r, key)                                                   \
  acre_scope r##_scope_ __attribute__((cleanup(acre_scope_leave))) = {{0}}; \
  acre_region const r __attribute__((unused)) = acre_scope_open(&r##_scope_, (key), ACRE_HERE)

/* New arenas, closed; null when memory is out. */
#define acre_key_new() acre_key_make(ACRE_HERE)
#define acre_key_new_counted() acre_key_make_counted(ACRE_HERE)
#define acre_key_new_shared() acre_key_make_shared(ACRE_HERE)

/* A pointer variable of type T * in region r, the same each time. */
#define acre_root(T, r) (*(__typeof__(T) **)acre_region_root(r))

#endif
