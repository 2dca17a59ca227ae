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

#endif
