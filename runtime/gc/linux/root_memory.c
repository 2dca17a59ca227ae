/* SPDX-License-Identifier: MIT */
/* root_memory.c - see root_memory.h.
 *
 * Excluded are the heap itself, its tables and those of the runtime (which hold no pointers of the
 * program), its weak references and finalizable objects, and the parts of stacks below the stack
 * pointers.
 */
#include "platform/frame.h"
#include "platform/kernel.h"
#include "platform/thread.h"

#include <acre/abi.h>

#include <signal.h>

#include "gc/heap/handles.h"
#include "gc/linux/mappings.h"
#include "gc/linux/root_memory.h"
#include "gc/linux/stop_world.h"
#include "platform/check.h"
#include "platform/os.h"

/* More ranges are not excluded: what they refer to is kept. */
#define EXCLUDED_MAX ((size_t)1 << 16)
#define EXCLUDED_BYTES (EXCLUDED_MAX * sizeof(acre_os_range))

bool acre_gc_memory_start(heap *h) {
  h->roots.excluded = acre_os_table(EXCLUDED_BYTES);
  return h->roots.excluded != NULL;
}

void acre_gc_memory_end(heap *h) {
  if (h->roots.excluded)
    acre_os_unreserve(h->roots.excluded, EXCLUDED_BYTES);
}

/* -- Exclusions -------------------------------------------------------------------------------- */

size_t acre_gc_memory_exclude_also(const heap *h, size_t count, uintptr_t start, uintptr_t end) {
  if (start >= end || count == EXCLUDED_MAX)
    return count;
  h->roots.excluded[count] = (acre_os_range){start, end};
  return count + 1;
}

typedef struct exclusions {
  const heap *heap;
  size_t count;
} exclusions;

static void exclude_chunk(const void *start, size_t size, void *context) {
  exclusions *e = context;
  e->count =
      acre_gc_memory_exclude_also(e->heap, e->count, (uintptr_t)start, (uintptr_t)start + size);
}

size_t acre_gc_memory_exclude(const heap *h) {
  ACRE_ASSERT(h->roots.excluded != NULL);
  exclusions e = {h, acre_gc_memory_exclude_also(h, 0, (uintptr_t)h->space.base,
                                                 (uintptr_t)h->space.base + h->space.bytes)};
  e.count += acre_os_tables(h->roots.excluded + e.count, EXCLUDED_MAX - e.count);
  acre_gc_handles_each_chunk(&h->roots.weaks, exclude_chunk, &e);
  acre_gc_handles_each_chunk(&h->roots.finals, exclude_chunk, &e);
  return e.count;
}

/* The dead part of a stack ends a mapping or lies in one: never more than the mapping that holds
   the stack pointer, because a stack without limit is said to reach far down. */
size_t acre_gc_memory_exclude_dead(const heap *h, size_t count, const acre_gc_dead_stack *dead,
                                   uintptr_t start, uintptr_t end) {
  if (dead->sp <= start || dead->sp > end)
    return count;
  return acre_gc_memory_exclude_also(h, count, dead->low > start ? dead->low : start, dead->sp);
}

acre_gc_dead_stack acre_gc_memory_own_dead(const heap *h) {
  return (acre_gc_dead_stack){acre_thread_dead_from(h->cycle.own_stack), h->cycle.own_stack};
}

acre_os_range acre_gc_memory_next_excluded(const heap *h, size_t count, uintptr_t at,
                                           uintptr_t end) {
  acre_os_range first = {end, end};
  for (size_t i = 0; i < count; i++) {
    const acre_os_range *r = &h->roots.excluded[i];
    if (r->end > at && r->start < first.start)
      first = *r;
  }
  return first;
}

/* -- The walk ---------------------------------------------------------------------------------- */

/* What it takes to read what the system says of a mapping, and of a page of one, in words. */
#define MAPPING_WORDS 500
#define PAGE_WORDS 8

typedef struct walk {
  const heap *heap;
  size_t excluded;
  size_t words; /* that are left to visit; 0: it ends */
  acre_gc_dead_stack own;
  acre_gc_memory_visit *visit;
  void *context;
} walk;

static bool use_words(walk *w, size_t words) {
  w->words -= words < w->words ? words : w->words;
  return w->words != 0;
}

static void visit_pages(uintptr_t start, uintptr_t end, void *context) {
  walk *w = context;
  if (use_words(w, (end - start) / sizeof(void *)))
    w->visit((const char *)start, end - start, w->context);
}

static void visit_mapping(const acre_gc_mapping *m, void *context) {
  walk *w = context;
  uintptr_t start = m->start, end = m->end;
  size_t count = acre_gc_memory_exclude_dead(w->heap, w->excluded, &w->own, start, end);
  acre_gc_dead_stack dead;
  for (uint32_t i = 0; acre_gc_world_dead_stack(i, &dead); i++)
    count = acre_gc_memory_exclude_dead(w->heap, count, &dead, start, end);
  for (uintptr_t at = start; at < end;) {
    acre_os_range gap = acre_gc_memory_next_excluded(w->heap, count, at, end);
    if (gap.start > at &&
        use_words(w, MAPPING_WORDS + (gap.start - at) / m->page_size * PAGE_WORDS))
      acre_gc_mapping_pages(m, at, gap.start, visit_pages, w);
    at = gap.end;
  }
}

void acre_rt_gc_stack_at(const void *address) {
  acre_self.has_inner_stack |=
      acre_thread_find_stack() && acre_thread_is_on_stack((uintptr_t)address);
}

/* A stack may be an object of the heap to which nothing refers but the stack pointer of its thread,
   and the kernel: of other threads that has put its stack for signals beside their registers. */
void acre_gc_memory_stacks(acre_gc_memory_visit *visit, void *context) {
  const void *here = __builtin_frame_address(0);
  visit((const char *)&here, sizeof here, context);
  acre_gc_dead_stack dead;
  for (uint32_t i = 0; acre_gc_world_dead_stack(i, &dead); i++)
    visit((const char *)&dead.sp, sizeof dead.sp, context);
  stack_t alternate;
  if (sigaltstack(NULL, &alternate) == 0)
    visit((const char *)&alternate.ss_sp, sizeof alternate.ss_sp, context);
}

/* Not inlined: its frame is below all that the callers hold. */
__attribute__((noinline)) static void visit_below(walk *w) {
  w->own.sp = w->heap->cycle.own_stack ? w->heap->cycle.own_stack : acre_frame_end();
  w->own.low = acre_thread_dead_from(w->own.sp);
  w->excluded = acre_gc_memory_exclude(w->heap);
  if (!acre_gc_mappings_each(visit_mapping, w))
    acre_os_fatal(
        "heap \"%s\": the collector cannot read /proc/self/maps, which says where pointers may be",
        acre_gc_heap_name(w->heap));
  acre_gc_memory_stacks(w->visit, w->context);
}

bool acre_gc_memory_some(const heap *h, size_t words, acre_gc_memory_visit *visit, void *context) {
  walk w = {.heap = h, .words = words, .visit = visit, .context = context};
  /* What the program holds in registers that calls preserve goes to this frame. */
  __builtin_unwind_init();
  visit_below(&w);
  __asm__ volatile("" ::: "memory"); /* no tail call: the frame stays */
  return w.words != 0;
}

void acre_gc_memory_each(const heap *h, acre_gc_memory_visit *visit, void *context) {
  acre_gc_memory_some(h, SIZE_MAX, visit, context);
}
