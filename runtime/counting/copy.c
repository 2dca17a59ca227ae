/* SPDX-License-Identifier: MIT */
/* copy.c - see copy.h.
 *
 * Invariant of copies, while there may be records: of 8 bytes or more, one does what memmove does
 * and then acre_rt_rescan; fewer bytes make no pointer.  Most copies are so short that a call of
 * memmove would take longer: their words are looked at on their way, and the scan is called only
 * for a range that may have records or hold a pointer.
 */
#include "counting/copy.h"

#include <stdint.h>
#include <string.h>

#include <acre/abi.h>

#include "counting/pointer_bytes.h"
#include "counting/scan.h"

/* Fewer bytes than a pointer has. */
ACRE_RAW_READ static inline void copy_bytes(uintptr_t to, uintptr_t from, size_t size) {
  typedef uint32_t unaligned_half __attribute__((aligned(1), may_alias));
  typedef uint16_t unaligned_quarter __attribute__((aligned(1), may_alias));
  if (size >= sizeof(uint32_t)) {
    const uint32_t first = *(const unaligned_half *)from,
                   last = *(const unaligned_half *)(from + size - sizeof first);
    *(unaligned_half *)to = first;
    *(unaligned_half *)(to + size - sizeof last) = last;
  } else if (size >= sizeof(uint16_t)) {
    const uint16_t first = *(const unaligned_quarter *)from;
    const uint16_t last = *(const unaligned_quarter *)(from + size - sizeof first);
    *(unaligned_quarter *)to = first;
    *(unaligned_quarter *)(to + size - sizeof last) = last;
  } else if (size != 0) {
    *(unsigned char *)to = *(const unsigned char *)from;
  }
}

/* 8 to 16 bytes are two words, which are looked at on their way. */
ACRE_RAW_READ static inline void copy_words(uintptr_t to, uintptr_t from, size_t size) {
  const uint64_t first = *(const acre_unaligned_word *)from,
                 last = *(const acre_unaligned_word *)(from + size - ACRE_SLOT_SIZE);
  *(acre_unaligned_word *)to = first;
  *(acre_unaligned_word *)(to + size - ACRE_SLOT_SIZE) = last;
  const uintptr_t mask = ACRE_SLOT_SIZE - 1, high = (to + size + mask) & ~mask;
  bool is_text = ((acre_zero_mark(first) | acre_zero_mark(last)) & ACRE_BYTES_UPPER_BIT) == 0;
  if (!acre_is_filtered(to, size) ||
      (is_text ? acre_window_words(high - ACRE_SLOT_SIZE, 1) : acre_may_hold_pointer(to, size)))
    acre_rescan_slowly(to, size);
}

/* 17 to 32 bytes are two pairs, likewise. */
ACRE_RAW_READ static inline void copy_pairs(uintptr_t to, uintptr_t from, size_t size) {
  const acre_word_pair first = *(const acre_unaligned_pair *)from,
                       last = *(const acre_unaligned_pair *)(from + size - ACRE_PAIR_SIZE);
  *(acre_unaligned_pair *)to = first;
  *(acre_unaligned_pair *)(to + size - ACRE_PAIR_SIZE) = last;
  const uintptr_t mask = ACRE_SLOT_SIZE - 1, high = (to + size + mask) & ~mask;
  const uint64_t tag = acre_rt_window_tag;
  uint64_t found;
  if (((to | size) & mask) == 0) {
    const acre_word_pair equal = acre_in_window(first, tag) | acre_in_window(last, tag);
    found = equal[0] | equal[1];
  } else {
    const acre_word_pair zero =
        ((first - ACRE_BYTES_ONE) & ~first) | ((last - ACRE_BYTES_ONE) & ~last);
    found = (zero[0] | zero[1]) & ACRE_BYTES_UPPER_BIT
                ? acre_may_hold_pointer(to, size)
                : acre_window_words(high - ACRE_SLOT_SIZE, 1);
  }
  if (!acre_is_filtered(to, size) || found)
    acre_rescan_slowly(to, size);
}

/* A call of its own, so that the short ways need no frame. */
__attribute__((noinline)) static void copy_long(void *to, const void *from, size_t size) {
  memmove(to, from, size);
  acre_rt_rescan(to, size);
}

/* Into a region that another thread makes meanwhile this thread has no pointers. */
static void *copy_and_count(void *to, const void *from, size_t size) {
  if (size < ACRE_SLOT_SIZE) {
    copy_bytes((uintptr_t)to, (uintptr_t)from, size);
  } else if (size <= ACRE_PAIR_SIZE) {
    copy_words((uintptr_t)to, (uintptr_t)from, size);
  } else if (size <= 2 * ACRE_PAIR_SIZE) {
    copy_pairs((uintptr_t)to, (uintptr_t)from, size);
  } else {
    copy_long(to, from, size);
  }
  return to;
}

/* What acre_rt_copy jumps to.  A program without a region pays no more than the jump, which a call
   of the C library through its table costs as well. */
static void *(*copies)(void *to, const void *from, size_t size) = memmove;

static void *fill_and_count(void *to, int byte, size_t size) {
  memset(to, byte, size);
  acre_rt_release(to, size);
  return to;
}

/* Likewise for acre_rt_fill. */
static void *(*fills)(void *to, int byte, size_t size) = memset;

void acre_copies_count(bool are_counted) {
  __atomic_store_n(&copies, are_counted ? copy_and_count : memmove, __ATOMIC_RELEASE);
  __atomic_store_n(&fills, are_counted ? fill_and_count : memset, __ATOMIC_RELEASE);
}

void acre_rt_copy(void *to, const void *from, size_t size) {
  __atomic_load_n(&copies, __ATOMIC_RELAXED)(to, from, size);
}

void acre_rt_fill(void *to, int byte, size_t size) {
  __atomic_load_n(&fills, __ATOMIC_RELAXED)(to, byte, size);
}
