/* SPDX-License-Identifier: MIT */
/* planted.h - mistakes that are planted into the ported programs, each behind a switch: a program
 * without PLANTED in its environment makes none.
 */
#ifndef PLANTED_H
#define PLANTED_H

#include <acre/acre.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static inline int is_planted(const char *mistake) {
  const char *chosen = getenv("PLANTED");
  return chosen && strcmp(chosen, mistake) == 0;
}

/* A read that the compiler does not take away. */
static inline void planted_use(const void *pointer) {
  __asm__ volatile("" : : "g"(pointer) : "memory");
}

#endif
