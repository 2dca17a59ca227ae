/* SPDX-License-Identifier: MIT */
/* signature.c - checks of what signatures say of arguments and results (RC paper, section 4.1).
 *
 * A null pointer obeys every signature; no pointer is in the region that a dead handle or a null
 * pointer names.
 */
#include <stdlib.h>

#include <acre/abi.h>

#include "counting/describe.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "memory/pages.h"
#include "platform/os.h"

static bool is_in(void *value, void *region, int kind) {
  if (!value)
    return true;
  if (kind & ACRE_RT_BY_HANDLE) {
    acre_region actual = acre_region_of(value), wanted = region;
    bool is_alive = acre_registry_find(wanted) != NULL;
    return is_alive && (actual == wanted ||
                        (kind & ACRE_RT_OR_ANCESTOR && acre_region_is_ancestor(actual, wanted)));
  }
  uint32_t actual = acre_page_owner(value), wanted = acre_page_owner(region);
  return region &&
         (actual == wanted || (kind & ACRE_RT_OR_ANCESTOR && acre_is_below(wanted, actual)));
}

_Noreturn static void fail(void *value, void *region, int kind, const acre_rt_where *where) {
  const struct acre_region_entry *wanted = kind & ACRE_RT_BY_HANDLE ? acre_registry_find(region)
                                           : region ? acre_registry_at(acre_page_owner(region))
                                                    : NULL;
  acre_os_print(2, "acre: fatal: ");
  acre_print_where(2, where);
  acre_os_print(2, "%s pointer may not point into ",
                kind & ACRE_RT_OR_ANCESTOR ? "inparent" : "inregion");
  acre_print_region(2, acre_registry_at(acre_page_owner(value)));
  acre_os_print(2, "\n  value %p: ", value);
  acre_print_object(2, value);
  acre_os_print(2, "\n  wanted: ");
  if (wanted)
    acre_print_region(2, wanted);
  else
    acre_os_print(2, region ? "a region that was deleted"
                            : "no region, the one that is named is null");
  acre_os_print(2, "\n");
  abort();
}

void acre_rt_check_inregion(void *value, void *region, int kind, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  if (!is_in(value, region, kind))
    fail(value, region, kind, where);
}

void acre_rt_verify_inregion(void *value, void *region, int kind, const acre_rt_where *where) {
  if (is_in(value, region, kind))
    return;
  acre_os_print(
      2,
      "acre: the compiler removed a check that fails; this is a fault of Acre, please report it\n");
  fail(value, region, kind, where);
}
