/* SPDX-License-Identifier: MIT */
/* random.h - numbers that are the same everywhere for the same seed (splitmix64), to make input
 * from. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/* 0 ... limit - 1. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit) {
  return (uint32_t)((random_next(state) >> 32) * limit >> 32);
}

/* The start of a sequence of its own for each pair of numbers. */
static inline uint64_t random_seed(uint64_t first, uint64_t second) {
  uint64_t state = first * 0xd1342543de82ef95 + second;
  return random_next(&state);
}

#endif
