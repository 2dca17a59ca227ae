/* SPDX-License-Identifier: MIT */
/* frames.c - see frames.h. */
#include "region/frames.h"

#include <acre/abi.h>

#include "gc/linux/mappings.h"
#include "gc/linux/stop_world.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"

bool acre_frames_search_wanted;
static bool is_settled_expected;

static void expect_unmixed(void) {
  if (__atomic_load_n(&acre_frames_search_wanted, __ATOMIC_SEQ_CST) &&
      __atomic_load_n(&is_settled_expected, __ATOMIC_SEQ_CST))
    acre_os_fatal("files that use settled variables are in this program with files compiled with "
                  "-facre-frames=conservative, where any function may set them; compile all alike");
}

void acre_rt_search_frames(void) {
  __atomic_store_n(&acre_frames_search_wanted, true, __ATOMIC_SEQ_CST);
  expect_unmixed();
}

void acre_rt_expect_settled(void) {
  __atomic_store_n(&is_settled_expected, true, __ATOMIC_SEQ_CST);
  expect_unmixed();
}

struct walk {
  acre_frames_visit *visit;
  void *context;
  acre_gc_live_stack own;
};

/* Stack number index: the calling thread's is the first.  False past the last. */
static bool stack_at(const struct walk *walk, uint32_t index, acre_gc_live_stack *live) {
  *live = walk->own;
  return index == 0 || acre_gc_world_live_stack(index - 1, live);
}

/* Visits the stacks whose bounds are known.  Returns whether those are all. */
static bool visit_bounded(const struct walk *walk) {
  bool is_all = true;
  acre_gc_live_stack live;
  for (uint32_t i = 0; stack_at(walk, i, &live); i++)
    if (!live.is_bounded)
      is_all &= live.sp == 0;
    else if (live.sp)
      walk->visit(live.sp, live.high, walk->context);
  return is_all;
}

static void visit_part(const struct walk *walk, const acre_gc_mapping *m, uintptr_t low,
                       uintptr_t high) {
  const uintptr_t start = low > m->start ? low : m->start, end = high < m->end ? high : m->end;
  if (start < end)
    acre_gc_mapping_pages(m, start, end, walk->visit, walk->context);
}

/* Visits what lies in this mapping of the stacks whose bounds are not known. */
static void visit_mapping(const acre_gc_mapping *m, void *context) {
  const struct walk *walk = context;
  acre_gc_live_stack live;
  for (uint32_t i = 0; stack_at(walk, i, &live); i++) {
    if (live.is_bounded || !live.sp)
      continue;
    if (live.sp >= m->start && live.sp < m->end)
      visit_part(walk, m, live.sp, live.high);
    visit_part(walk, m, live.left.start, live.left.end);
  }
}

/* Not inlined: its frame is below what the caller has saved. */
__attribute__((noinline)) static bool visit_from_here(struct walk *walk) {
  walk->own = acre_gc_own_live_stack(acre_frame_end());
  return visit_bounded(walk) || acre_gc_mappings_each(visit_mapping, walk);
}

bool acre_frames_each(acre_frames_visit *visit, void *context) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  struct walk walk = {.visit = visit, .context = context};
  /* What callers hold in registers that calls preserve goes to this frame. */
  __builtin_unwind_init();
  const bool is_all = visit_from_here(&walk);
  __asm__ volatile("" ::: "memory"); /* no tail call: the frame stays */
  return is_all;
}
