/* SPDX-License-Identifier: MIT */
/* word_filter.h - passes over words that are no address of a heap, many at a time.  Internal.
 *
 * Invariant: a filter lets every address of its heap through.  What else it lets through has the
 * upper half of one.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_WORD_FILTER_H
#define ACRE_RUNTIME_GC_CYCLE_WORD_FILTER_H

#include <stdbool.h>

#include "gc/heap/heap.h"
#include "platform/vector.h"

/* The upper halves of addresses of the heap are these and no others. */
typedef struct word_filter {
  uint32_t high, high_count;
} word_filter;

/* Words that are looked at together. */
#define FILTER_WORDS 8

static inline word_filter filter_of(const heap *h) {
  uintptr_t base = (uintptr_t)h->space.base;
  uint32_t high = (uint32_t)(base >> 32);
  return (word_filter){high, (uint32_t)((base + h->space.bytes - 1) >> 32) - high + 1};
}

static inline __attribute__((no_sanitize("address"))) acre_half_words
filter_four(word_filter f, const char *const *word) {
  acre_half_words first = (acre_half_words)((const acre_unaligned_pair *)word)[0],
                  second = (acre_half_words)((const acre_unaligned_pair *)word)[1];
  return (acre_half_words)(__builtin_shufflevector(first, second, 1, 3, 5, 7) - f.high <
                           f.high_count);
}

/* Whether one of the FILTER_WORDS words from here on may be an address of the heap. */
static inline bool filter_has_address(word_filter f, const char *const *word) {
  acre_word_pair any = (acre_word_pair)(filter_four(f, word) | filter_four(f, word + 4));
  return any[0] | any[1];
}

#endif
