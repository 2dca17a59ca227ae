/* SPDX-License-Identifier: MIT */
/* staying.c - see staying.h. */
#define _GNU_SOURCE
#include "platform/staying.h"

#include <sys/auxv.h>
#include <unistd.h>

#include "platform/atomic.h"
#include "platform/kernel.h"
#include "platform/os.h"

/* The program, which nothing unmaps; the end is 0 where the C library does not say it. */
static acre_os_range program_range(void) {
  static acre_os_range known;
  const uintptr_t end = __atomic_load_n(&known.end, __ATOMIC_ACQUIRE); /* set last */
  if (end)
    return (acre_os_range){__atomic_load_n(&known.start, __ATOMIC_RELAXED), end};
  const acre_os_range range = acre_os_library((const void *)getauxval(AT_ENTRY));
  __atomic_store_n(&known.start, range.start, __ATOMIC_RELAXED);
  __atomic_store_n(&known.end, range.end, __ATOMIC_RELEASE);
  return range;
}

bool acre_memory_is_from_brk(uintptr_t p) {
  static uintptr_t high;
  const uintptr_t low = program_range().end;
  if (!low || p < low)
    return false;
  if (p < __atomic_load_n(&high, __ATOMIC_RELAXED))
    return true;
  const uintptr_t now = (uintptr_t)sbrk(0);
  __atomic_store_n(&high, now, __ATOMIC_RELAXED);
  return p < now;
}

bool acre_memory_stays(uintptr_t p) {
  const acre_os_range program = program_range();
  const uintptr_t end = p + sizeof(void *);
  if (p >= program.start && end <= program.end)
    return true;
  /* What brk has given another thread might give back between this and the reading. */
  return acre_is_single_threaded() && program.end && p >= program.end && end <= (uintptr_t)sbrk(0);
}
