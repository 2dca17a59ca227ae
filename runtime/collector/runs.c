/* runs.c - see runs.h. */
#include "runs.h"

#include <string.h>

#include "carve.h"
#include "collect.h"
#include "ring.h"


acre_gc_run_shapes acre_gc_run_shapes_of_process;
_Thread_local acre_gc_runs *acre_gc_own_runs;

/* What is in a run, until it is allocated. */
static const acre_type idle_type = {.name = "idle", .size = 1, .align = 1};
static const acre_site idle_site = {.type = &idle_type};

void acre_gc_runs_start(heap *h) {
  acre_gc_run_shapes *s = &acre_gc_run_shapes_of_process;
  /* A freed object that is still in use is reported once, by a flag that allocation would have to clear. */
  h->has_runs = h->quick_aligns >> 16 & 1 && h->is_free_a_hint && h->config.header_words == 2;
  for (size_t words = 0; words <= RUN_WORDS && h->has_runs; words++) {
    size_t class = h->class_of[h->header_size / 8 + (words ? words : 1)], size = h->classes[class].size;
    if (class >= RUN_CLASSES || size % CELL_MIN) {
      h->has_runs = false;
      return;
    }
    /* No more at a time than is allocated between two increments. */
    size_t length = h->config.increment_bytes / size;
    s->class_of[words] = (uint8_t)class;
    s->lengths[class] = (uint8_t)(length < RUN_CELLS ? length : RUN_CELLS);
    s->capacities[class] = (uint16_t)(size - h->header_size);
  }
}

/* A few words are cleared sooner than memset is called, which the compiler would make of this loop. */
static inline void clear(char *object, size_t capacity) {
  for (char *at = object, *end = object + capacity; at < end; at += CELL_MIN) {
    memset(at, 0, CELL_MIN);
    __asm__ volatile("" : : : "memory");
  }
}

/* Cells are allocated on the page of this one from now on. */
static __attribute__((noinline)) void turn_to_page(heap *h, ring *r, const char *start) {
  uint32_t index = page_index(h, start);
  page_touch(h, index);
  r->quick_page = page_address(h, index);
  r->quick_bits = page_now(h, index);
}

/* Moves the black boundary over count white cells at once. */
static size_t take_cells(heap *h, size_t class, char **to, size_t count) {
  ring *r = ring_at(h, 0, class);
  size_t capacity = acre_gc_run_shapes_of_process.capacities[class];
  acre_ref ref = r->black;
  char *base = r->base, *on_page = r->quick_page;
  uint64_t *bits = r->quick_bits;
  count = count < r->white_count ? count : r->white_count;
  for (size_t i = 0; i < count; i++) {
    ref = ((const uint32_t *)(base + ((size_t)ref << UNIT_SHIFT)))[1]; /* the previous one, by LINKS_HALF */
    char *start = base + ((size_t)ref << UNIT_SHIFT), *object = start + 2 * sizeof(uint64_t);
    if (__builtin_expect((size_t)(start - on_page) >= ACRE_PAGE_SIZE, 0)) {
      turn_to_page(h, r, start);
      on_page = r->quick_page;
      bits = r->quick_bits;
    }
    bit_set(bits, (uint32_t)((size_t)(start - on_page) / CELL_MIN));
    ((uint64_t *)object)[-1] = (uintptr_t)&idle_site;
    clear(object, capacity);
    to[i] = object;
  }
  r->black = ref;
  r->white_count -= count;
  h->made.objects += count;
  h->made.useful += count * capacity;
  h->made.cells += count * r->cell_size;
  return count;
}

void acre_gc_runs_fill(heap *h, size_t size) {
  if (!h->has_runs || size > RUN_WORDS * 8)
    return;
  acre_gc_runs *r = acre_gc_own_runs;
  if (!r && (r = acre_heap_try_alloc(&h->head, sizeof *r, 8, NULL)) != NULL)
    acre_gc_own_runs = r;
  size_t class = acre_gc_run_shapes_of_process.class_of[(size + 7) / 8];
  if (!r || r->counts[class])
    return;
  h->made.useful -= r->waste;
  r->waste = 0;
  r->counts[class] = (uint8_t)take_cells(h, class, r->cells[class], acre_gc_run_shapes_of_process.lengths[class]);
}

void acre_gc_runs_discount(const heap *h, acre_heap_stats *stats) {
  const acre_gc_runs *r = h->has_runs ? acre_gc_own_runs : NULL;
  for (size_t class = 0; r && class < RUN_CLASSES; class++) {
    stats->allocated_objects -= r->counts[class];
    stats->live_objects -= r->counts[class];
    stats->allocated_bytes -= (size_t)r->counts[class] * acre_gc_run_shapes_of_process.capacities[class];
  }
  if (r)
    stats->allocated_bytes -= r->waste;
}
