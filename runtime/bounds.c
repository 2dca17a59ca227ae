/* bounds.c - checks of indexing and pointer arithmetic, for -facre-bounds (docs/design/bounds.md). */
#include <acre/abi.h>

#include <stdlib.h>

#include "collector/process.h"
#include "describe.h"
#include "object.h"
#include "os.h"
#include "pages.h"

static const acre_rt_range everything = {NULL, (const char *)UINTPTR_MAX};

acre_rt_range acre_rt_bounds(const void *p) {
  if (acre_page_owner(p)) {
    struct acre_object object = acre_object_find(p);
    return object.size ? (acre_rt_range){object.start, object.start + object.size} : everything;
  }
  size_t size;
  const char *start = acre_gc_process_object(p, &size);
  return start ? (acre_rt_range){start, start + size} : everything;
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
    acre_os_print(2, "pointer to offset %td of an object of %zu bytes\n", (const char *)address - (const char *)low,
                  object_size);
  acre_os_print(2, "  object %p", low);
  if (acre_page_owner(low)) {
    acre_os_print(2, ": ");
    acre_print_object(2, low);
  }
  acre_os_print(2, "\n");
  abort();
}
