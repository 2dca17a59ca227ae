/* SPDX-License-Identifier: MIT */
/* bounds.c - checks of indexing and pointer arithmetic, for -facre-bounds (docs/design/bounds.md).
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "counting/describe.h"
#include "counting/object.h"
#include "gc/process/process.h"
#include "memory/pages.h"
#include "platform/os.h"

static __attribute__((noinline)) acre_rt_range search_window(const void *p) {
  return acre_page_owner(p) ? acre_object_range(p) : acre_gc_process_range(p);
}

/* Compiled code asks in line whether p is in acre_rt_bounded.  The heap of the process may lie
 * beside the window, in the same block. */
acre_rt_range acre_rt_bounds(const void *p) {
  if (!acre_may_be_in_window(p))
    return acre_gc_process_range(p);
  size_t count = __atomic_load_n(&acre_start_index.pages, __ATOMIC_ACQUIRE);
  size_t page = ((uintptr_t)p - acre_window_base()) >> ACRE_WINDOW_PAGE_SHIFT;
  char *start = page < count ? acre_object_known_start(p) : NULL;
  return start ? acre_object_range_at(start) : search_window(p);
}

void acre_rt_check_bounds(const void *low, const void *high, const void *address, size_t size,
                          const acre_rt_where *where) {
  uintptr_t at = (uintptr_t)address, end = (uintptr_t)high;
  if (at < (uintptr_t)low || at > end || size > end - at)
    acre_rt_out_of_bounds(low, high, address, size, where);
}

/* -- Text whose length the C library finds out ------------------------------------------------- */

/* No text is that long, so an object with as much room needs no look at it. */
static bool has_room_for_any(const void *high, const void *to) {
  return (uintptr_t)high > (uintptr_t)to && (uintptr_t)high - (uintptr_t)to > INT_MAX;
}

static size_t length_of(const void *text, size_t most, size_t unit) {
  if (most > PTRDIFF_MAX)
    most = PTRDIFF_MAX;
  return unit == 1 ? strnlen(text, most) : wcsnlen(text, most) * sizeof(wchar_t);
}

size_t acre_rt_text_bytes(const void *high, const void *to, const void *text, size_t most,
                          size_t unit, int is_appended) {
  if (has_room_for_any(high, to))
    return 0;
  return length_of(text, most, unit) + (is_appended ? length_of(to, PTRDIFF_MAX, unit) : 0) + unit;
}

static size_t format_bytes(const void *high, const void *to, size_t most, const char *format,
                           va_list list) {
  if (has_room_for_any(high, to) ||
      ((uintptr_t)high >= (uintptr_t)to && most <= (uintptr_t)high - (uintptr_t)to))
    return 0;
  int saved_errno = errno;
  int length = vsnprintf(NULL, 0, format, list);
  errno = saved_errno;
  size_t bytes = length < 0 ? 0 : (size_t)length + 1;
  return bytes < most ? bytes : most;
}

size_t acre_rt_format_bytes(const void *high, const void *to, size_t most, const char *format,
                            ...) {
  va_list list;
  va_start(list, format);
  size_t bytes = format_bytes(high, to, most, format, list);
  va_end(list);
  return bytes;
}

size_t acre_rt_format_bytes_of_list(const void *high, const void *to, size_t most,
                                    const char *format, void *list) {
  va_list copy;
#ifdef __riscv
  memcpy(&copy, &list, sizeof copy);
#else
  va_copy(copy, *(va_list *)list);
#endif
  size_t bytes = format_bytes(high, to, most, format, copy);
  va_end(copy);
  return bytes;
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
