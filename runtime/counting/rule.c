/* SPDX-License-Identifier: MIT */
/* rule.c - see rule.h; the barriers of stores to annotated slots (docs/design/counting.md). */
#include "counting/rule.h"

#include <stdlib.h>

#include "counting/describe.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/relation.h"
#include "counting/store.h"
#include "counting/stored.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/os.h"

bool acre_rule_allows_handle(acre_slot_rule rule, uint32_t holder, const void *handle) {
  ACRE_ASSERT(rule & ACRE_SLOT_HANDLE);
  const struct acre_region_entry *named =
      handle ? acre_registry_find((acre_region)(uintptr_t)handle) : NULL;
  if (!named)
    return !handle;
  if (rule == ACRE_SLOT_HANDLE_TRADITIONAL)
    return named->index == ACRE_INDEX_TRADITIONAL;
  return rule == ACRE_SLOT_HANDLE_SAMEREGION ? named->index == holder
                                             : acre_is_ancestor(named->index, holder);
}

bool acre_rule_allows(acre_slot_rule rule, const void *slot, const void *value) {
  return acre_rule_allows_in(rule, acre_page_owner(slot), value);
}

static const char *rule_name(acre_slot_rule rule) {
  static const char *const names[] = {"plain", "sameregion", "parentptr", "traditional", "union"};
  return names[rule & ~ACRE_SLOT_HANDLE];
}

/* "region 'name' (created at here)", in pieces for a message. */
static void print_region(const char *before, uint32_t index) {
  acre_os_print(2, "%s", before);
  acre_print_region(2, acre_registry_at(index));
}

/* Says of which rule, and by which value: "sameregion pointer may not point into ...", "parentptr
   handle may not name ...". */
static void print_broken(acre_slot_rule rule, const void *value) {
  const struct acre_region_entry *named =
      rule & ACRE_SLOT_HANDLE ? acre_registry_find((acre_region)(uintptr_t)value) : NULL;
  if (!(rule & ACRE_SLOT_HANDLE)) {
    acre_os_print(2, "%s pointer may not point ", rule_name(rule));
    print_region("into ", acre_page_owner(value));
    acre_os_print(2, "\n  value %p: ", value);
    acre_print_object(2, value);
  } else if (named) {
    acre_os_print(2, "%s handle may not name ", rule_name(rule));
    acre_print_region(2, named);
  } else {
    acre_os_print(2, "%s handle may not name a region that was deleted (%p)", rule_name(rule),
                  value);
  }
}

_Noreturn void acre_rule_fail(acre_slot_rule rule, const void *slot, const void *value,
                              const acre_rt_where *where) {
  /* A copy of bytes does not say where it is. */
  const acre_rt_stored *at = slot && !where ? acre_stored_find((uintptr_t)slot, value) : NULL;
  acre_os_print(2, "acre: fatal: ");
  if (slot && !where && !at)
    acre_os_print(2, "in a copy of bytes (-facre-sites tells where): ");
  acre_print_where(2, at ? &at->where : where);
  print_broken(rule, value);
  if (slot) {
    acre_os_print(2, "\n  slot %p: ", slot);
    acre_print_slot(2, slot, value);
    print_region("\n  held by ", acre_page_owner(slot));
  }
  acre_os_print(2, "\n");
  abort();
}

void acre_rule_check(acre_slot_rule rule, void *slot, const void *value,
                     const acre_rt_where *where) {
  if (!acre_rule_allows(rule, slot, value))
    acre_rule_fail(rule, slot, value, where);
}

static inline void check_store(acre_slot_rule rule, void *slot, const void *value,
                               const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  /* Each rule allows a pointer into the slot's own region. */
  if (__builtin_expect(acre_page_owner(slot) != acre_page_owner(value), 0))
    acre_rule_check(rule, slot, value, where);
  acre_store_clear((uintptr_t)slot);
}

void acre_rt_check_sameregion(void *slot, void *value, const acre_rt_where *where) {
  check_store(ACRE_SLOT_SAMEREGION, slot, value, where);
}

void acre_rt_check_parentptr(void *slot, void *value, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  acre_rule_check_upward(slot, acre_page_owner(slot), value, where);
  acre_store_clear((uintptr_t)slot);
}

void acre_rt_check_traditional(void *slot, void *value, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  if (acre_page_owner(value))
    acre_rule_fail(ACRE_SLOT_TRADITIONAL, slot, value, where);
}

void acre_rt_check_handle(void *slot, void *handle, int rule, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  acre_rule_check((acre_slot_rule)rule, slot, handle, where);
}

void acre_rt_verify_proved(void *slot, void *value, int rule, const acre_rt_where *where) {
  bool is_true = rule == ACRE_SLOT_PLAIN ? acre_counted_target(slot, value) == 0
                                         : acre_rule_allows((acre_slot_rule)rule, slot, value);
  if (is_true || acre_is_moved_by_clear(value))
    return;
  acre_os_print(
      2,
      "acre: the compiler removed a check that fails; this is a fault of Acre, please report it\n");
  acre_rule_fail((acre_slot_rule)rule, slot, value, where);
}
