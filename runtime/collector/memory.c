/* memory.c - see memory.h.
 *
 * Excluded are the heap itself, its tables and those of the runtime (which hold no pointers of the program), its weak
 * references and finalizable objects, and the parts of stacks below the stack pointers.
 */
#include "../thread.h"

#include "../os.h"
#include "mappings.h"
#include "memory.h"
#include "table.h"
#include "world.h"

/* More ranges are not excluded: what they refer to is kept. */
#define EXCLUDED_MAX ((size_t)1 << 16)
#define EXCLUDED_BYTES (EXCLUDED_MAX * sizeof(acre_os_range))

bool acre_gc_memory_start(heap *h) {
  h->excluded = acre_os_table(EXCLUDED_BYTES);
  return h->excluded != NULL;
}

void acre_gc_memory_end(heap *h) {
  if (h->excluded)
    acre_os_unreserve(h->excluded, EXCLUDED_BYTES);
}

typedef struct walk {
  const heap *heap;
  size_t excluded;
  acre_gc_dead_stack own;
  acre_gc_memory_visit *visit;
  void *context;
} walk;

static void exclude(walk *w, uintptr_t start, uintptr_t end) {
  if (start < end && w->excluded < EXCLUDED_MAX)
    w->heap->excluded[w->excluded++] = (acre_os_range){start, end};
}

static void exclude_chunk(const void *start, size_t size, void *context) {
  exclude(context, (uintptr_t)start, (uintptr_t)start + size);
}

static void exclude_all(walk *w) {
  const heap *h = w->heap;
  exclude(w, (uintptr_t)h->base, (uintptr_t)h->base + h->bytes);
  w->excluded += acre_os_tables(h->excluded + w->excluded, EXCLUDED_MAX - w->excluded);
  acre_gc_table_each_chunk(&h->weaks, exclude_chunk, w);
  acre_gc_table_each_chunk(&h->finals, exclude_chunk, w);
}

/* The dead part of a stack ends a mapping or lies in one: never more than the mapping that holds the stack pointer, because a
   stack without limit is said to reach far down. */
static void exclude_dead_stack(walk *w, const acre_gc_dead_stack *dead, uintptr_t start, uintptr_t end) {
  if (dead->sp > start && dead->sp <= end)
    exclude(w, dead->low > start ? dead->low : start, dead->sp);
}

/* The lowest excluded range that overlaps [at, end); {end, end} if there is none. */
static acre_os_range next_excluded(const walk *w, uintptr_t at, uintptr_t end) {
  acre_os_range first = {end, end};
  for (size_t i = 0; i < w->excluded; i++) {
    const acre_os_range *r = &w->heap->excluded[i];
    if (r->end > at && r->start < first.start)
      first = *r;
  }
  return first;
}

static void visit_pages(uintptr_t start, uintptr_t end, void *context) {
  const walk *w = context;
  w->visit((const char *)start, end - start, w->context);
}

static void visit_mapping(const acre_gc_mapping *m, void *context) {
  walk *w = context;
  uintptr_t start = m->start, end = m->end;
  size_t shared = w->excluded;
  acre_gc_dead_stack dead;
  exclude_dead_stack(w, &w->own, start, end);
  for (uint32_t i = 0; acre_gc_world_dead_stack(i, &dead); i++)
    exclude_dead_stack(w, &dead, start, end);
  for (uintptr_t at = start; at < end;) {
    acre_os_range gap = next_excluded(w, at, end);
    if (gap.start > at)
      acre_gc_mapping_pages(m, at, gap.start, visit_pages, w);
    at = gap.end;
  }
  w->excluded = shared;
}

/* Not inlined: its frame is below all that the callers hold. */
__attribute__((noinline)) static void visit_below(walk *w) {
  w->own.sp = w->heap->own_stack ? w->heap->own_stack : (uintptr_t)__builtin_frame_address(0);
  w->own.low = acre_thread_is_on_stack(w->own.sp) ? acre_self.stack_low : w->own.sp;
  exclude_all(w);
  if (!acre_gc_mappings_each(visit_mapping, w))
    acre_os_fatal("heap \"%s\": the collector cannot read /proc/self/maps, which says where pointers may be",
                  acre_gc_heap_name(w->heap));
}

void acre_gc_memory_each(const heap *h, acre_gc_memory_visit *visit, void *context) {
  walk w = {.heap = h, .visit = visit, .context = context};
  /* What the program holds in registers that calls preserve goes to this frame. */
  __builtin_unwind_init();
  visit_below(&w);
  __asm__ volatile("" ::: "memory"); /* no tail call: the frame stays */
}
