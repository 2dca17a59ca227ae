/* SPDX-License-Identifier: MIT */
/* clear.c - what goes before its region does: all objects of one that stays, or a single object. */
#include "region/clear.h"

#include <acre/region.h>

#include "counting/object.h"
#include "counting/registry.h"
#include "counting/search.h"
#include "memory/pages.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "region/condemned.h"
#include "region/delete.h"
#include "region/destroy.h"

static struct acre_region_entry *expect_own(acre_region handle, const char *function,
                                            const char *here) {
  acre_delete_clear_stack();
  struct acre_region_entry *region = acre_registry_expect_own_at(handle, function, here, NULL);
  if (region->index == ACRE_INDEX_PERMANENT)
    acre_os_fatal_call(&(acre_os_call){.what = function, .here = here},
                       "nothing of the permanent region can be given back");
  return region;
}

bool acre_clear_with(struct acre_condemned *set, struct acre_region_entry *region,
                     struct acre_report_words words, const char *here, void *frame) {
  ACRE_ASSERT(acre_condemned_set_of(region) == set && "a clear is about a member");
  const struct acre_target target = {.region = region->index};
  set->target = &target;
  words.target = &target;
  enum acre_verdict verdict = acre_delete_decide(set, words, here, frame);
  /* The contents have no name of their own under which they could wait. */
  if (verdict == ACRE_VERDICT_WAITS)
    verdict = ACRE_VERDICT_STAYS;
  return acre_delete_carry_out(set, verdict, here);
}

__attribute__((noinline)) bool acre_clear(struct acre_region_entry *region,
                                          acre_subregions subregions,
                                          struct acre_report_words words, const char *here,
                                          void *frame) {
  struct acre_condemned set = {0};
  if (subregions == ACRE_SUBREGIONS_KEEP)
    acre_condemned_add(&set, region);
  else
    acre_delete_add_tree(&set, region);
  return acre_clear_with(&set, region, words, here, frame);
}

bool acre_region_clear(acre_region handle, acre_subregions subregions, const char *here) {
  struct acre_region_entry *region = expect_own(handle, "clearregion", here);
  return acre_clear(region, subregions,
                    (struct acre_report_words){.verb = "clear", .event = "clearregion called"},
                    here, (void *)acre_frame_end());
}

static struct acre_object expect_object(const struct acre_region_entry *region, void *p,
                                        const char *here) {
  const acre_os_call call = {.what = "acre_region_release", .here = here};
  const struct acre_object object = acre_object_at(p);
  if (!object.size || acre_page_owner(p) != region->index || p == region->name)
    acre_os_fatal_call(&call, "%p is not an object of the region", p);
  if (acre_object_is_released(&object))
    acre_os_fatal_call(&call, "%p has been given back before", p);
  return object;
}

bool acre_region_release_at(acre_region handle, void *p, const char *here) {
  struct acre_region_entry *region = expect_own(handle, "acre_region_release", here);
  if (!p)
    return true;
  const struct acre_object object = expect_object(region, p, here);
  const struct acre_target target = {region->index, (uintptr_t)object.start, object.size};
  struct acre_condemned set = {0};
  acre_condemned_add(&set, region);
  set.target = &target;
  const enum acre_verdict verdict = acre_delete_decide(
      &set,
      (struct acre_report_words){
          .verb = "give back", .event = "acre_region_release called", .target = &target},
      here, (void *)acre_frame_end());
  acre_condemned_dissolve(&set);
  if (verdict == ACRE_VERDICT_GOES) {
    if (p == region->anchor)
      region->anchor = NULL;
    acre_destroy_object(region, &object);
  }
  acre_delete_reclaim_sometimes();
  /* What only a frame knows is as good as gone: it stays until its region goes. */
  return verdict == ACRE_VERDICT_GOES || verdict == ACRE_VERDICT_LINGERS;
}
