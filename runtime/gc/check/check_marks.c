/* SPDX-License-Identifier: MIT */
/* check_marks.c - see check.h.  Marks from the roots with a stack, a lookup and a walk of
 * descriptors that the collector does not use, and looks for pointers that the collector's
 * invariant forbids.
 *
 *   1. What is reachable is not white; from PHASE_WEAK on, not ecru either.
 *   2. While a collection runs, no black object and no root that was scanned refers to an ecru
 *      object, except the object that is being scanned; and except, in a heap that finds stores by
 *      itself, what is still to be visited (rescan.c).
 *
 * A word of unknown meaning may look like a pointer to a cell that is free; that is no error.
 */
#include <string.h>

#include "gc/check/check.h"
#include "gc/check/check_marks.h"
#include "gc/cycle/foreign_roots.h"
#include "gc/cycle/rescan.h"
#include "gc/cycle/thread_cache.h"
#include "gc/cycle/word_filter.h"
#include "gc/heap/format.h"
#include "gc/heap/handles.h"
#include "gc/heap/ring.h"
#include "gc/linux/root_memory.h"
#include "memory/descriptor.h"
#include "platform/os.h"

/* The cell of an object that p points to, by division and by walking the page. */
static bool locate(const heap *h, const void *p, cell *c) {
  if ((const char *)p < h->space.base || (const char *)p >= h->space.base + h->space.bytes)
    return false;
  uint32_t index = page_index(h, p);
  if (!is_list_page(h, index)) {
    /* One past the end of an object that is full is in no object's page. */
    bool is_end = h->space.pages[index].kind != PAGE_BIG &&
                  h->space.pages[index].kind != PAGE_INSIDE && p == page_address(h, index);
    index -= is_end && index > h->space.list_pages;
    while (index > h->space.list_pages && h->space.pages[index].kind == PAGE_INSIDE)
      index--;
    *c = (cell){.start = page_address(h, index), .page = index, .is_big = true};
    const cell_page *first = &h->space.pages[index];
    return first->kind == PAGE_BIG &&
           (is_end ? first->is_full : index + first->count > page_index(h, p));
  }
  const char *owner = (const char *)p - h->header_size;
  if (owner < h->space.base)
    return false;
  index = page_index(h, owner);
  while (index > 0 && h->space.pages[index].kind == PAGE_INSIDE)
    index--;
  if (h->space.pages[index].kind != PAGE_CELLS)
    return false;
  if (h->cells.classes[h->space.pages[index].class].page_count > 1) {
    fill_cell(h, c, index, 0, 0, h->space.pages[index].class);
    return true;
  }
  page_walk walk = {h, index, 0};
  bool is_cell;
  while (acre_gc_page_next(&walk, c, &is_cell))
    if (owner < page_address(h, index) + walk.offset)
      return is_cell;
  return false;
}

static uint8_t seen_at(const check *k, const cell *c) {
  return *check_seen(k, c) & (uint8_t)~SEEN_REACHED;
}

/* How far below the verifier's frame those of the collector may have been. */
#define OWN_FRAMES_BYTES ((uintptr_t)16 << 10)

/* The frames of the collector hold pointers of all colours.  They are searched where the thread
 * runs on a stack in the heap, and where what is below its stack pointer may be in use. */
static bool is_in_own_frames(const heap *h, const void *where) {
  cell here, own;
  uintptr_t at = (uintptr_t)where, frame = (uintptr_t)__builtin_frame_address(0);
  if (at >= h->cycle.own_stack)
    return false;
  return at >= frame - OWN_FRAMES_BYTES ||
         (locate(h, where, &here) && locate(h, (const void *)h->cycle.own_stack, &own) &&
          here.start == own.start);
}

/* value is in a place that holds pointers only (is_exact), or in any word. */
static void reach(check *k, const void *value, bool is_exact, const void *where) {
  const heap *h = k->heap;
  cell c;
  if ((const char *)value < h->space.base || (const char *)value >= h->space.base + h->space.bytes)
    return;
  bool is_found = locate(h, value, &c);
  if (!is_found || seen_at(k, &c) == SEEN_WHITE) {
    if (is_exact)
      acre_gc_check_fails(k, "a pointer to an object that was reclaimed", where);
    return;
  }
  if (*check_seen(k, &c) & SEEN_REACHED)
    return;
  /* Where the world is stopped, the collector has seen the same words. */
  bool is_known = is_exact || (h->watch.finds_stores && h->cycle.is_world_stopped);
  if (h->cycle.phase >= PHASE_WEAK && seen_at(k, &c) == SEEN_ECRU && is_known && !k->is_in_queue) {
    if (!acre_gc_foreign_was_dead(h, where) && !is_in_own_frames(h, where))
      acre_gc_check_fails(k, "a pointer to an object that is about to be reclaimed", where);
    return;
  }
  *check_seen(k, &c) |= SEEN_REACHED;
  k->stack[k->depth++] = c.start + (c.is_big ? 0 : h->header_size);
}

/* -- The slots of an object -------------------------------------------------------------------- */

typedef struct visit {
  check *check;
  const char *base;
  void (*act)(check *k, const void *value, bool is_exact, const void *where);
} visit;

static void visit_slot(const acre_slot *run, size_t offset, void *context) {
  visit *v = context;
  void *value;
  memcpy(&value, v->base + offset, sizeof value);
  v->act(v->check, value, run->rule != ACRE_SLOT_UNION, v->base + offset);
}

/* A word of cells without links may be a NaN that holds an address. */
static const void *unboxed(const heap *h, const void *word) {
  const char *held = h->uses_bitmaps ? held_address(h->space.base, h->space.bytes, word) : NULL;
  return held ? held : word;
}

__attribute__((no_sanitize("address"))) static void visit_words(visit *v, size_t size) {
  size_t before = -(uintptr_t)v->base & (sizeof(void *) - 1);
  for (size_t at = before; at + sizeof(void *) <= size; at += sizeof(void *))
    v->act(v->check, unboxed(v->check->heap, *(void *const *)(v->base + at)), false, v->base + at);
}

static void visit_taken(void *context, const void *object) {
  visit *v = context;
  v->act(v->check, object, true, v->base);
}

static void visit_object(visit *v, const object_view *o) {
  v->base = o->start;
  if (o->site == &acre_gc_cache_site)
    acre_gc_cache_each((const acre_gc_thread_cache *)o->start, false, visit_taken, v);
  if (o->site && o->site->type)
    acre_type_each_slot(o->site->type, o->size, visit_slot, v);
  else
    visit_words(v, o->size);
}

/* -- Roots ------------------------------------------------------------------------------------- */

static void visit_frame(visit *v, const acre_heap_frame *f) {
  for (size_t i = 0; i < f->count; i++) {
    void *value;
    memcpy(&value, f->variables[i], sizeof value);
    v->act(v->check, value, true, f->variables[i]);
  }
}

static void visit_table(visit *v, const handle_table *t, uint8_t state) {
  handle_cursor cursor = {0};
  for (const handle_entry *s; (s = acre_gc_handles_next(t, &cursor)) != NULL;)
    if (s->state == state && s->object)
      v->act(v->check, s->object, true, s);
}

static void visit_memory(const char *start, size_t size, void *context) {
  visit *v = context;
  v->base = start;
  visit_words(v, size);
}

static void visit_roots(visit *v) {
  const heap *h = v->check->heap;
  for (size_t i = 0; i < h->roots.range_count; i++) {
    v->base = h->roots.ranges[i].start;
    visit_words(v, h->roots.ranges[i].size);
  }
  for (const acre_heap_frame *f = &h->roots.no_frame; f; f = f == h->head.newest ? NULL : f->above)
    visit_frame(v, f);
  visit_table(v, &h->roots.handles, ENTRY_USED);
  if (h->config.scans_memory)
    acre_gc_memory_each(h, visit_memory, v);
}

/* -- 2. Nothing scanned refers to anything ecru ------------------------------------------------ */

static void forbid_ecru(check *k, const void *value, bool is_exact, const void *where) {
  cell c;
  (void)is_exact;
  if (!locate(k->heap, value, &c) || seen_at(k, &c) != SEEN_ECRU)
    return;
  if (!k->heap->watch.finds_stores || !acre_gc_rescan_is_awaited(k->heap, where))
    acre_gc_check_fails(k, "a pointer from what was scanned to an ecru object", where);
}

static void check_black_object(check *k, const cell *c) {
  object_view o = cell_object(k->heap, c);
  visit v = {k, o.start, forbid_ecru};
  if (o.start != k->heap->cycle.scan.object)
    visit_object(&v, &o);
}

static void check_if_black(const cell *c, void *context) {
  if (seen_at(context, c) == SEEN_BLACK)
    check_black_object(context, c);
}

static void check_black(check *k, const ring *r) {
  const heap *h = k->heap;
  acre_ref ref = r->black;
  for (size_t i = ring_black_count(r); i > 0; i--, ref = ring_next(r, ref)) {
    cell c;
    if (!locate(h, r == &h->cells.big ? page_address(h, ref) : ring_cell(r, ref) + h->header_size,
                &c)) {
      acre_gc_check_fails(k, "a black cell that is not found", ring_cell(r, ref));
      return;
    }
    check_black_object(k, &c);
  }
}

static void check_scanned(check *k) {
  const heap *h = k->heap;
  visit v = {k, NULL, forbid_ecru};
  for (size_t i = 0; i < h->cells.segments_started * h->cells.class_count; i++)
    if (!h->uses_bitmaps)
      check_black(k, &h->cells.rings[i]);
  if (h->uses_bitmaps)
    acre_gc_each_cell(h, check_if_black, k);
  check_black(k, &h->cells.big);
  for (const acre_heap_frame *f = &h->roots.no_frame; f != h->head.unscanned; f = f->above)
    visit_frame(&v, f);
  for (size_t i = 0; i < h->roots.range_index && i < h->roots.range_count; i++)
    if (h->roots.ranges[i].is_protected) {
      v.base = h->roots.ranges[i].start;
      visit_words(&v, h->roots.ranges[i].size);
    }
}

/* -- Both -------------------------------------------------------------------------------------- */

/* Visits the objects on the stack and all they refer to. */
static void reach_all(visit *v) {
  check *k = v->check;
  while (k->depth && k->is_sound) {
    cell c;
    locate(k->heap, k->stack[--k->depth], &c);
    object_view o = cell_object(k->heap, &c);
    visit_object(v, &o);
  }
}

/* -- A heap with a quarantine ------------------------------------------------------------------ */

/* The collector has seen all such words: the world is stopped since it read the last ones. */
static void forbid_released(check *k, const void *value, bool is_exact, const void *where) {
  const heap *h = k->heap;
  cell c;
  (void)is_exact;
  if (locate(h, value, &c) && seen_at(k, &c) == SEEN_ECRU && !acre_gc_foreign_was_dead(h, where) &&
      !is_in_own_frames(h, where))
    acre_gc_check_fails(k, "a pointer to a freed object that is about to be released", where);
}

/* What the object refers to is kept, unless it is still to be read. */
static void check_if_read(const cell *c, void *context) {
  check *k = context;
  const heap *h = k->heap;
  if (seen_at(k, c) != SEEN_BLACK)
    return;
  object_view o = cell_object(h, c);
  bool is_last = h->cycle.phase >= PHASE_WEAK;
  visit v = {k, o.start, is_last ? forbid_released : forbid_ecru};
  if (is_last ? h->cycle.is_world_stopped : h->quarantine.is_swept)
    visit_object(&v, &o);
}

static void check_quarantine(check *k) {
  const heap *h = k->heap;
  acre_gc_each_cell(h, check_if_read, k);
  for (uint32_t at = h->space.list_pages; at < h->space.total_pages; at += h->space.pages[at].count)
    if (h->space.pages[at].kind == PAGE_BIG)
      check_if_read(&(cell){.start = page_address(h, at), .page = at, .is_big = true}, k);
  visit v = {k, NULL, forbid_released};
  if (h->cycle.phase >= PHASE_WEAK && h->cycle.is_world_stopped)
    visit_roots(&v);
}

void acre_gc_check_marks(check *k) {
  visit v = {k, NULL, reach};
  if (k->heap->quarantine.is_on) {
    if (is_collecting(k->heap))
      check_quarantine(k);
    return;
  }
  visit_roots(&v);
  reach_all(&v);
  /* What only the queue refers to may have been put there by this collection, and be marked from
   * there yet. */
  k->is_in_queue = true;
  visit_table(&v, &k->heap->roots.finals, ENTRY_QUEUED);
  reach_all(&v);
  if (k->is_sound && is_collecting(k->heap))
    check_scanned(k);
}
