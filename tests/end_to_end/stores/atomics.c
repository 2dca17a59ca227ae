// Atomic pointers: stores, exchanges and compare-exchanges, by _Atomic and by builtins, count what
// is left in memory.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <stdatomic.h>

static node *_Atomic global;
static _Atomic(node *) array[4];
static node *plain;
static node *volatile volatile_slot;

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *n = new_node(r), *m = new_node(s);
  global = n;
  CHECK_COUNT(r, 1);
  atomic_store_explicit(&array[2], n, memory_order_relaxed);
  CHECK_COUNT(r, 2);
  CHECK(atomic_exchange(&global, m) == n);
  CHECK_COUNT(r, 1);
  CHECK_COUNT(s, 1);
  node *expected = n;
  CHECK(!atomic_compare_exchange_strong(&global, &expected, n));
  CHECK(expected == m);
  expected = m;
  CHECK(atomic_compare_exchange_strong(&global, &expected, n));
  CHECK(atomic_load(&global) == n);
  __atomic_store_n(&plain, m, __ATOMIC_SEQ_CST);
  CHECK(__atomic_exchange_n(&plain, n, __ATOMIC_ACQ_REL) == m);
  CHECK(__sync_bool_compare_and_swap(&plain, n, m));
  CHECK(__sync_lock_test_and_set(&plain, n) == m);
  node *in = m, *old;
  __atomic_exchange(&plain, &in, &old, __ATOMIC_SEQ_CST);
  CHECK(old == n && plain == m);
  volatile_slot = n;
  volatile_slot = m;
  atomic_init(&array[3], m);
  atomic_fetch_or((_Atomic uintptr_t *)&array[3], 1);
  atomic_fetch_and((_Atomic uintptr_t *)&array[3], ~(uintptr_t)1);
  CHECK(array[3] == m);
  n = m = in = old = expected = 0;
  CHECK_COUNT(r, 2);
  CHECK_COUNT(s, 3);
  DELETE_REFUSED(r);
  global = 0;
  atomic_store(&array[2], 0);
  DELETE_ACCEPTED(r);
  plain = 0;
  volatile_slot = 0;
  CHECK(atomic_exchange(&array[3], 0) != 0);
  DELETE_ACCEPTED(s);
  CHECK(acre_verify());
}
