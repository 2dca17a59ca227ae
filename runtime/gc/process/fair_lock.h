/* SPDX-License-Identifier: MIT */
/* fair_lock.h - a lock that nobody waits for long while others get it again and again.  Internal.
 *
 * A mutex of the C library may be had again at once by the thread that has just released it: while
 * a collection runs, a thread that waited for the heap was passed by hundreds of times, each of
 * which may be a step.  Here, after PASSES_MAX times, it is reserved for those that wait.
 *
 * Invariant: state is 1 while a thread has the lock, else 0.  `waiters` counts the threads that
 * wait for it; `passes` how often it was left to them since one got it.  If is_reserved is 1, one
 * waits or has it, and will clear it; newcomers sleep until then.
 */
#ifndef ACRE_RUNTIME_GC_PROCESS_FAIR_LOCK_H
#define ACRE_RUNTIME_GC_PROCESS_FAIR_LOCK_H

#include "platform/check.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct acre_gc_fair_lock {
  uint32_t state, waiters, is_reserved;
  uint32_t passes; /* of the thread that has the lock */
} acre_gc_fair_lock;

static inline bool acre_gc_fair_lock_try(acre_gc_fair_lock *t) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(&t->state, &none, 1, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
/* By whom is not known.  Other threads that want it write its state. */
static inline bool acre_gc_fair_lock_is_taken(const acre_gc_fair_lock *t) {
  return __atomic_load_n(&t->state, __ATOMIC_RELAXED) == 1;
}
void acre_gc_fair_lock_wait(acre_gc_fair_lock *t);
/* Others wait: the lock is reserved for them if they were passed often enough.  Needs the lock. */
void acre_gc_fair_lock_reserve(acre_gc_fair_lock *t);
void acre_gc_fair_lock_wake(acre_gc_fair_lock *t);

/* False where that means to wait. */
static inline bool acre_gc_fair_lock_try_now(acre_gc_fair_lock *t) {
  return !__atomic_load_n(&t->is_reserved, __ATOMIC_RELAXED) && acre_gc_fair_lock_try(t);
}
static inline void acre_gc_fair_lock_take(acre_gc_fair_lock *t) {
  if (!acre_gc_fair_lock_try_now(t))
    acre_gc_fair_lock_wait(t);
}
/* Needs the lock. */
static inline void acre_gc_fair_lock_pass(acre_gc_fair_lock *t) {
  ACRE_ASSERT(acre_gc_fair_lock_is_taken(t));
  if (__atomic_load_n(&t->waiters, __ATOMIC_RELAXED) != 0)
    acre_gc_fair_lock_reserve(t);
  __atomic_store_n(&t->state, 0, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&t->waiters, __ATOMIC_SEQ_CST) != 0)
    acre_gc_fair_lock_wake(t);
}
/* In the child of a fork: nobody waits any more.  Needs the lock. */
static inline void acre_gc_fair_lock_forget_others(acre_gc_fair_lock *t) {
  ACRE_ASSERT(acre_gc_fair_lock_is_taken(t));
  t->waiters = t->is_reserved = t->passes = 0;
}

#endif
