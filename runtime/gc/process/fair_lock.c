/* SPDX-License-Identifier: MIT */
/* fair_lock.c - see fair_lock.h. */
#define _GNU_SOURCE
#include "gc/process/fair_lock.h"
#include "platform/check.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/kernel.h"

/* While a thread is woken another may do as much. */
#define PASSES_MAX 3

/* Until *word is not 1, or somebody wakes this thread. */
static void sleep_at(uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
}
static void wake_at(uint32_t *word, int most) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

void acre_gc_fair_lock_wait(acre_gc_fair_lock *t) {
  while (__atomic_load_n(&t->is_reserved, __ATOMIC_ACQUIRE))
    sleep_at(&t->is_reserved);
  __atomic_add_fetch(&t->waiters, 1, __ATOMIC_SEQ_CST);
  while (!acre_gc_fair_lock_try(t))
    sleep_at(&t->state);
  t->passes = 0;
  bool was_reserved = __atomic_exchange_n(&t->is_reserved, 0, __ATOMIC_RELEASE);
  __atomic_sub_fetch(&t->waiters, 1, __ATOMIC_SEQ_CST);
  if (was_reserved)
    wake_at(&t->is_reserved, INT_MAX);
}

void acre_gc_fair_lock_reserve(acre_gc_fair_lock *t) {
  ACRE_ASSERT(acre_gc_fair_lock_is_taken(t));
  if (++t->passes >= PASSES_MAX)
    __atomic_store_n(&t->is_reserved, 1, __ATOMIC_RELEASE);
}

void acre_gc_fair_lock_wake(acre_gc_fair_lock *t) { wake_at(&t->state, 1); }
