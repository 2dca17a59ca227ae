/* SPDX-License-Identifier: MIT */
/* vector.h - words two at a time, wherever they lie.  Internal to the runtime.
 *
 * Lanes of 32 bits are those that every processor with vectors compares.
 */
#ifndef ACRE_RUNTIME_PLATFORM_VECTOR_H
#define ACRE_RUNTIME_PLATFORM_VECTOR_H

#include <stdint.h>

typedef uint64_t acre_word_pair __attribute__((vector_size(16)));
typedef uint32_t acre_half_words __attribute__((vector_size(16)));

typedef uint64_t acre_unaligned_word __attribute__((aligned(1), may_alias));
typedef acre_word_pair acre_unaligned_pair __attribute__((aligned(1), may_alias));
enum { ACRE_PAIR_SIZE = sizeof(acre_word_pair) };

/* Not 0 if a lane of a comparison is not. */
static inline uint64_t acre_any_lane(acre_word_pair lanes) {
#ifdef __SSE2__
  typedef char bytes __attribute__((vector_size(16)));
  return (unsigned)__builtin_ia32_pmovmskb128((bytes)lanes);
#else
  return lanes[0] | lanes[1];
#endif
}

#endif
