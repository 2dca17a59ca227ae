/* SPDX-License-Identifier: MIT */
/* pointer_bytes.h - may bytes hold a pointer into the window?  Internal to the runtime.
 *
 * Most bytes that a program copies are text or numbers.  To look for a pointer at each place where
 * one could be would take longer than the copy, so whole ranges are asked at once, two words at a
 * time.  Invariant: the answer is never wrongly no.  Bytes beside the range, in its first and last
 * aligned word, are read too, which always goes.
 */
#ifndef ACRE_RUNTIME_COUNTING_POINTER_BYTES_H
#define ACRE_RUNTIME_COUNTING_POINTER_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#include "counting/record.h"
#include "platform/check.h"
#include "platform/sanitizer.h"
#include "platform/vector.h"

/* Not 0 where a word lies in the window.  The upper half of a shifted word is 0, which is no half
 * of what is wanted. */
static inline acre_word_pair acre_in_window(acre_word_pair words, uint64_t tag) {
  const uint64_t whole = tag | ~(uint64_t)0 << 32;
  const acre_half_words wanted = (acre_half_words)(acre_word_pair){whole, whole};
  return (acre_word_pair)((acre_half_words)(words >> ACRE_WINDOW_SHIFT) == wanted);
}

/* Not 0 if one of count words at address lies in the window. */
ACRE_RAW_READ static inline uint64_t acre_window_words(uintptr_t address, size_t count) {
  const uint64_t tag = acre_rt_window_tag;
  uint64_t found = 0;
  if (count % 2 != 0) {
    found = *(const acre_unaligned_word *)address >> ACRE_WINDOW_SHIFT == tag;
    address += ACRE_SLOT_SIZE;
  }
  if (count >= 2) {
    acre_word_pair equal = {0, 0};
    for (uintptr_t end = address + count / 2 * ACRE_PAIR_SIZE; address < end;
         address += ACRE_PAIR_SIZE)
      equal |= acre_in_window(*(const acre_unaligned_pair *)address, tag);
    found |= equal[0] | equal[1];
  }
  return found;
}

static inline bool acre_has_window_word(uintptr_t address, size_t count) {
  return acre_defined(acre_window_words(address, count) != 0);
}

/* A word has a byte of zero exactly if its acre_zero_mark has one of the upper bits of bytes. */
#define ACRE_BYTES_ONE 0x0101010101010101u
#define ACRE_BYTES_UPPER_BIT 0x8080808080808080u
static inline uint64_t acre_zero_mark(uint64_t word) { return (word - ACRE_BYTES_ONE) & ~word; }
static inline acre_word_pair acre_zero_marks(acre_word_pair words) {
  return (words - ACRE_BYTES_ONE) & ~words;
}

/* Not 0 if there is a byte of zero in the range, as in each address in the window.  Needs 8 bytes
 * or more. */
ACRE_RAW_READ static inline uint64_t acre_zero_bytes(uintptr_t address, size_t size) {
  ACRE_ASSERT(size >= ACRE_SLOT_SIZE);
  if (size < ACRE_PAIR_SIZE)
    return (acre_zero_mark(*(const acre_unaligned_word *)address) |
            acre_zero_mark(*(const acre_unaligned_word *)(address + size - ACRE_SLOT_SIZE))) &
           ACRE_BYTES_UPPER_BIT;
  const uintptr_t last = address + size - ACRE_PAIR_SIZE;
  acre_word_pair marks = acre_zero_marks(*(const acre_unaligned_pair *)last);
  for (; address < last; address += ACRE_PAIR_SIZE)
    marks |= acre_zero_marks(*(const acre_unaligned_pair *)address);
  return (marks[0] | marks[1]) & ACRE_BYTES_UPPER_BIT;
}

/* May a word that begins at one of the places from address on lie in the window?  Each such word
 * has the tag's lowest byte as its sixth. */
ACRE_RAW_READ static inline bool acre_has_tag_byte(uintptr_t address, size_t places) {
  const uint64_t byte = acre_rt_window_tag & 0xff, all = byte * ACRE_BYTES_ONE;
  uintptr_t at = address + ACRE_WINDOW_SHIFT / 8;
  const uintptr_t end = at + places;
  acre_word_pair marks = {0, 0};
  for (; end - at >= ACRE_PAIR_SIZE; at += ACRE_PAIR_SIZE)
    marks |= acre_zero_marks(*(const acre_unaligned_pair *)at ^ all);
  uint64_t found = (marks[0] | marks[1]) & ACRE_BYTES_UPPER_BIT;
  for (; at < end; at++)
    found |= *(const unsigned char *)at == byte;
  return acre_defined(found != 0);
}

/* Not 0 if there may be a pointer in the range.  Text, the most common contents of copies, is told
   from pointers without looking at each place where one could be. */
ACRE_RAW_READ __attribute__((always_inline)) static inline uint64_t
acre_may_hold_pointer(uintptr_t address, size_t size) {
  const uintptr_t mask = ACRE_SLOT_SIZE - 1, low = address & ~mask,
                  high = (address + size + mask) & ~mask;
  if (((address | size) & mask) == 0) /* rarely text */
    return acre_window_words(address, size / ACRE_SLOT_SIZE);
  /* The first aligned word ends in bytes of the range; the last one may end in others. */
  if (size > ACRE_SLOT_SIZE && !acre_zero_bytes(address, size))
    return acre_window_words(high - ACRE_SLOT_SIZE, 1);
  uint64_t found = acre_window_words(low, (high - low) / ACRE_SLOT_SIZE);
  return address & mask ? found | acre_window_words(address, size / ACRE_SLOT_SIZE) : found;
}

#endif
