/* SPDX-License-Identifier: MIT */
/* weak.c - weak references, finalizable objects, freed objects.
 *
 * Invariant: a slot of the weaks holds an object that is not white, or null.  A slot of the finals
 * is USED, with an object that is not white; or QUEUED, and in the queue.
 */
#include "gc/cycle/weak.h"
#include "gc/cycle/mark.h"
#include "gc/heap/cell.h"
#include "gc/heap/handles.h"
#include "platform/check.h"
#include "platform/os.h"

static bool is_doomed(const heap *h, const void *object) {
  cell c;
  return h->cycle.phase >= PHASE_WEAK && find_cell(h, object, &c) &&
         cell_colour(h, &c) == COLOUR_ECRU;
}

/* The start of object, which must be one; for what: the message. */
static void *require_object(heap *h, const void *object, const char *what) {
  void *start = acre_heap_object_of(&h->head, object);
  if (!start || start != object)
    acre_os_fatal("heap \"%s\": %s wants the start of an object; %p is none", acre_gc_heap_name(h),
                  what, object);
  return start;
}

acre_heap_weak *acre_heap_weak_new(acre_heap *head, void *object) {
  heap *h = acre_gc_heap_of(head);
  return (acre_heap_weak *)acre_gc_handles_take(&h->roots.weaks,
                                                require_object(h, object, "a weak reference"));
}

void *acre_heap_weak_get(acre_heap *head, const acre_heap_weak *weak) {
  void *object = ((const handle_entry *)weak)->object;
  return object && is_doomed(acre_gc_heap_of(head), object) ? NULL : object;
}

void acre_heap_weak_delete(acre_heap *head, acre_heap_weak *weak) {
  if (weak)
    acre_gc_handles_return(&acre_gc_heap_of(head)->roots.weaks, (handle_entry *)weak);
}

bool acre_heap_set_finalizable(acre_heap *head, void *object) {
  heap *h = acre_gc_heap_of(head);
  return acre_gc_handles_take(&h->roots.finals, require_object(h, object, "a finalizer")) != NULL;
}

void *acre_heap_next_finalizable(acre_heap *head) {
  heap *h = acre_gc_heap_of(head);
  handle_entry *s = h->roots.queue_first;
  if (!s)
    return NULL;
  ACRE_ASSERT(s->state == ENTRY_QUEUED);
  h->roots.queue_first = s->next;
  if (!h->roots.queue_first)
    h->roots.queue_last = NULL;
  void *object = s->object;
  acre_gc_handles_return(&h->roots.finals, s);
  /* It was a root; what it is stored in now may have been scanned already. */
  acre_heap_stored(head, object);
  return object;
}

void acre_heap_free(acre_heap *head, void *object) {
  heap *h = acre_gc_heap_of(head);
  cell c;
  if (!object)
    return;
  find_cell(h, require_object(h, object, "free"), &c);
  if (cell_flags(h, &c) & OBJECT_FREED)
    acre_os_fatal("heap \"%s\": the object at %p is freed twice", acre_gc_heap_name(h), object);
  cell_change_flags(h, &c, 0, OBJECT_FREED);
  h->cells.has_freed = true;
}

bool acre_gc_weak_some(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_WEAK);
  for (handle_entry *s; b->words > 0; budget_use(b, 1)) {
    if ((s = acre_gc_handles_next(&h->roots.weaks, &h->roots.cursor)) == NULL)
      return true;
    if (s->state == ENTRY_USED && s->object && is_doomed(h, s->object))
      s->object = NULL;
  }
  return false;
}

bool acre_gc_final_some(heap *h, budget *b) {
  ACRE_ASSERT(h->cycle.phase == PHASE_FINAL);
  for (handle_entry *s; b->words > 0; budget_use(b, 1)) {
    if ((s = acre_gc_handles_next(&h->roots.finals, &h->roots.cursor)) == NULL)
      return true;
    if (s->state != ENTRY_USED || !is_doomed(h, s->object))
      continue;
    s->state = ENTRY_QUEUED;
    s->next = NULL;
    if (h->roots.queue_last)
      h->roots.queue_last->next = s;
    else
      h->roots.queue_first = s;
    h->roots.queue_last = s;
    mark_value(h, s->object);
  }
  return false;
}
