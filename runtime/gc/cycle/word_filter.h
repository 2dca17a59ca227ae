/* SPDX-License-Identifier: MIT */
/* word_filter.h - which address of a heap a word holds, and passing over those that hold none, many
 * at a time.  Internal.
 *
 * A word holds an address if it is one, or if it is a NaN with one in its lower bits: interpreters
 * keep pointers among numbers so.
 *
 * Invariant: a filter lets every word through that holds an address of its heap.  What else it lets
 * through has the upper half of one, but for the bits in which those of the heap differ.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_WORD_FILTER_H
#define ACRE_RUNTIME_GC_CYCLE_WORD_FILTER_H

#include <stdbool.h>

#include "gc/heap/heap.h"
#include "platform/vector.h"

/* The exponent of a NaN, and where such a number may have an address. */
#define NAN_EXPONENT ((uintptr_t)0x7ff << 52)
#define NAN_ADDRESS_BITS 47
#define NAN_ADDRESS (((uintptr_t)1 << NAN_ADDRESS_BITS) - 1)

/* The address in [base, base + bytes) that a word holds; null if there is none. */
static inline const char *held_address(const char *base, size_t bytes, const void *word) {
  uintptr_t value = (uintptr_t)word, boxed = value & NAN_ADDRESS;
  if (value - (uintptr_t)base < bytes)
    return word;
  bool is_nan = (value & NAN_EXPONENT) == NAN_EXPONENT;
  return is_nan && boxed - (uintptr_t)base < bytes ? base + (boxed - (uintptr_t)base) : NULL;
}

/* The upper halves of addresses of the heap are these, where the mask has bits: not those in which
 * they differ, nor those that a NaN has above an address. */
typedef struct word_filter {
  uint32_t high, mask;
} word_filter;

/* Words that are looked at together; and where there is mostly nothing. */
#define FILTER_WORDS 8
#define FILTER_WORDS_MAX (2 * FILTER_WORDS)

static inline word_filter filter_of(const heap *h) {
  uintptr_t base = (uintptr_t)h->space.base, last = base + h->space.bytes - 1;
  uint32_t high = (uint32_t)(base >> 32), differing = high ^ (uint32_t)(last >> 32);
  uint32_t mask = last <= NAN_ADDRESS ? (uint32_t)(NAN_ADDRESS >> 32) : UINT32_MAX;
  if (differing)
    mask &= ~(UINT32_MAX >> __builtin_clz(differing));
  return (word_filter){.high = high & mask, .mask = mask};
}

static inline __attribute__((no_sanitize("address"))) acre_half_words
filter_four(word_filter f, const char *const *word) {
  acre_half_words first = (acre_half_words)((const acre_unaligned_pair *)word)[0],
                  second = (acre_half_words)((const acre_unaligned_pair *)word)[1];
  acre_half_words high = __builtin_shufflevector(first, second, 1, 3, 5, 7) & f.mask;
  return (acre_half_words)(high == f.high);
}

static inline acre_half_words filter_eight(word_filter f, const char *const *word) {
  return filter_four(f, word) | filter_four(f, word + 4);
}

/* Whether one of the FILTER_WORDS words from here on may be an address of the heap. */
static inline bool filter_has_address(word_filter f, const char *const *word) {
  return acre_any_lane((acre_word_pair)filter_eight(f, word)) != 0;
}

/* Whether one of the FILTER_WORDS_MAX words from here on may be one. */
static inline bool filter_has_any_address(word_filter f, const char *const *word) {
  acre_half_words any = filter_eight(f, word) | filter_eight(f, word + FILTER_WORDS);
  return acre_any_lane((acre_word_pair)any) != 0;
}

#endif
