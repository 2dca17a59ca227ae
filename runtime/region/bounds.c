/* SPDX-License-Identifier: MIT */
/* bounds.c - checks of indexing and pointer arithmetic, for -facre-bounds (docs/design/bounds.md).
 */
#include <acre/abi.h>

#include <stdlib.h>

#include "counting/describe.h"
#include "counting/object.h"
#include "gc/process/process.h"
#include "memory/pages.h"
#include "platform/os.h"

static __attribute__((noinline)) acre_rt_range collected_range(const void *p) {
  size_t size;
  const char *start = acre_gc_process_object(p, &size);
  return start ? (acre_rt_range){start, start + size} : ACRE_RANGE_OF_ALL;
}

static __attribute__((noinline)) acre_rt_range search(const void *p) {
  if (acre_page_owner(p))
    return acre_object_range(p);
  return __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE) ? collected_range(p)
                                                             : ACRE_RANGE_OF_ALL;
}

/* Compiled code asks in line whether p is in acre_rt_bounded. */
acre_rt_range acre_rt_bounds(const void *p) {
  size_t count = __atomic_load_n(&acre_start_index.pages, __ATOMIC_ACQUIRE);
  size_t page = ((uintptr_t)p - acre_window_base()) >> ACRE_WINDOW_PAGE_SHIFT;
  char *start = page < count ? acre_object_known_start(p) : NULL;
  return start ? acre_object_range_at(start) : search(p);
}

void acre_rt_check_bounds(const void *low, const void *high, const void *address, size_t size,
                          const acre_rt_where *where) {
  uintptr_t at = (uintptr_t)address, end = (uintptr_t)high;
  if (at < (uintptr_t)low || at > end || size > end - at)
    acre_rt_out_of_bounds(low, high, address, size, where);
}

void acre_rt_out_of_bounds(const void *low, const void *high, const void *address, size_t size,
                           const acre_rt_where *where) {
  acre_os_print(2, "acre: fatal: ");
  acre_print_where(2, where);
  size_t object_size = (size_t)((const char *)high - (const char *)low);
  if (size)
    acre_os_print(2, "access of %zu bytes at offset %td of an object of %zu bytes\n", size,
                  (const char *)address - (const char *)low, object_size);
  else
    acre_os_print(2, "pointer to offset %td of an object of %zu bytes\n",
                  (const char *)address - (const char *)low, object_size);
  acre_os_print(2, "  object %p", low);
  if (acre_page_owner(low)) {
    acre_os_print(2, ": ");
    acre_print_object(2, low);
  }
  acre_os_print(2, "\n");
  abort();
}
