/* SPDX-License-Identifier: MIT */
/* atomic.h - counters, words and locks that a signal handler or another thread may change under our
 * feet.  Internal.
 *
 * While the process has one thread an update is a single unlocked instruction: enough against
 * signal handlers, and an order of magnitude cheaper than a locked one.  From the second thread on
 * it is locked.  Architectures without read-modify-write instructions on memory always use the
 * locked form.
 */
#ifndef ACRE_RUNTIME_PLATFORM_ATOMIC_H
#define ACRE_RUNTIME_PLATFORM_ATOMIC_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/single_threaded.h>

static inline bool acre_is_single_threaded(void) { return __libc_single_threaded; }

/* Locks if there is another thread; the result is for acre_unlock.  No second thread starts while
   this one holds the lock, and none but this one can see the process become single-threaded again.
 */
static inline bool acre_lock(pthread_mutex_t *lock) {
  if (acre_is_single_threaded())
    return false;
  pthread_mutex_lock(lock);
  return true;
}
/* Does some thread hold lock, as far as can be seen?  For assertions: takes it if none does. */
static inline bool acre_is_locked(pthread_mutex_t *lock) {
  return acre_is_single_threaded() || pthread_mutex_trylock(lock) != 0;
}
static inline void acre_unlock(pthread_mutex_t *lock, bool is_locked) {
  if (is_locked)
    pthread_mutex_unlock(lock);
}

/* is_single: what acre_is_single_threaded said, once for several updates in a row.  No thread
 * starts between them. */
static inline void acre_add64_if(bool is_single, int64_t *counter, int64_t delta) {
#if defined(__x86_64__)
  if (is_single) {
    __asm__ volatile("addq %1, %0" : "+m"(*counter) : "er"(delta) : "cc");
    return;
  }
#endif
  (void)is_single;
  __atomic_fetch_add(counter, delta, __ATOMIC_ACQ_REL);
}
static inline void acre_add64(int64_t *counter, int64_t delta) {
  acre_add64_if(acre_is_single_threaded(), counter, delta);
}

/* Adds and says whether the counter is zero now. */
static inline bool acre_add32_is_zero(bool is_single, uint32_t *counter, int32_t delta) {
#if defined(__x86_64__)
  if (is_single) {
    bool is_zero;
    __asm__ volatile("addl %2, %0" : "+m"(*counter), "=@ccz"(is_zero) : "er"(delta));
    return is_zero;
  }
#endif
  (void)is_single;
  return __atomic_add_fetch(counter, (uint32_t)delta, __ATOMIC_ACQ_REL) == 0;
}

/* Adds and returns what the counter was before. */
static inline uint32_t acre_add32_before(bool is_single, uint32_t *counter, uint32_t delta) {
#if defined(__x86_64__)
  if (is_single) {
    __asm__ volatile("xaddl %1, %0" : "+m"(*counter), "+r"(delta) : : "cc");
    return delta;
  }
#endif
  (void)is_single;
  return __atomic_fetch_add(counter, delta, __ATOMIC_ACQ_REL);
}

/* Adds 1 to, or takes 1 from, a counter that stays at its highest value once it is there.  One that
 * is just getting there may be seen as 0. */
static inline void acre_count8(bool is_single, unsigned char *counter) {
#if defined(__x86_64__)
  if (is_single) {
    bool is_over;
    __asm__ volatile("addb $1, %0" : "+m"(*counter), "=@ccc"(is_over));
    if (__builtin_expect(is_over, 0))
      __atomic_store_n(counter, UINT8_MAX, __ATOMIC_RELAXED);
    return;
  }
#endif
  (void)is_single;
  if (__atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL) == UINT8_MAX)
    __atomic_store_n(counter, UINT8_MAX, __ATOMIC_RELEASE);
}
static inline void acre_uncount8(bool is_single, unsigned char *counter) {
  if (__builtin_expect(__atomic_load_n(counter, __ATOMIC_RELAXED) == UINT8_MAX, 0))
    return;
#if defined(__x86_64__)
  if (is_single) {
    __asm__ volatile("subb $1, %0" : "+m"(*counter) : : "cc");
    return;
  }
#endif
  (void)is_single;
  __atomic_fetch_sub(counter, 1, __ATOMIC_ACQ_REL);
}

/* Sets bits. */
static inline void acre_or64(bool is_single, uint64_t *word, uint64_t bits) {
#if defined(__x86_64__)
  if (is_single) {
    __asm__ volatile("orq %1, %0" : "+m"(*word) : "r"(bits) : "cc");
    return;
  }
#endif
  (void)is_single;
  __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL);
}

/* Stores value if expected is there, and says whether it was. */
static inline bool acre_compare_exchange32(bool is_single, uint32_t *word, uint32_t expected,
                                           uint32_t value) {
#if defined(__x86_64__)
  if (is_single) {
    bool is_done;
    __asm__ volatile("cmpxchgl %3, %0"
                     : "+m"(*word), "=@ccz"(is_done), "+a"(expected)
                     : "r"(value));
    return is_done;
  }
#endif
  (void)is_single;
  return __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

/* Stores value and returns what was there. */
static inline uint32_t acre_exchange32(bool is_single, uint32_t *word, uint32_t value) {
#if defined(__x86_64__)
  if (is_single) {
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    bool is_done;
    do
      __asm__ volatile("cmpxchgl %3, %0" : "+m"(*word), "=@ccz"(is_done), "+a"(old) : "r"(value));
    while (!is_done);
    return old;
  }
#endif
  (void)is_single;
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

#endif
