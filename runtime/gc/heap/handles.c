/* SPDX-License-Identifier: MIT */
/* handles.c - see handles.h. */
#include "gc/heap/handles.h"

#include "memory/pages.h"
#include "platform/check.h"

#define CHUNK_SLOTS ((ACRE_WINDOW_PAGE_SIZE - sizeof(void *)) / sizeof(handle_entry))

typedef struct handle_chunk {
  struct handle_chunk *next;
  handle_entry slots[CHUNK_SLOTS];
} handle_chunk;

static void add_unused(handle_table *t, handle_entry *s) {
  *s = (handle_entry){.next = t->unused};
  t->unused = s;
}

handle_entry *acre_gc_handles_take(handle_table *t, void *object) {
  if (!t->unused) {
    handle_chunk *chunk = acre_pages_alloc(1, 0);
    if (!chunk)
      return NULL;
    chunk->next = t->first;
    t->first = chunk;
    for (size_t i = CHUNK_SLOTS; i-- > 0;)
      add_unused(t, &chunk->slots[i]);
  }
  handle_entry *s = t->unused;
  ACRE_ASSERT(s->state == ENTRY_UNUSED);
  t->unused = s->next;
  *s = (handle_entry){.object = object, .state = ENTRY_USED};
  return s;
}

void acre_gc_handles_return(handle_table *t, handle_entry *s) {
  ACRE_ASSERT(s->state != ENTRY_UNUSED);
  add_unused(t, s);
}

void acre_gc_handles_end(handle_table *t) {
  for (handle_chunk *chunk = t->first, *next; chunk; chunk = next) {
    next = chunk->next;
    acre_pages_free(chunk, 1);
  }
}

void acre_gc_handles_each_chunk(const handle_table *t,
                                void (*visit)(const void *start, size_t size, void *context),
                                void *context) {
  for (const handle_chunk *chunk = t->first; chunk; chunk = chunk->next)
    visit(chunk, sizeof *chunk, context);
}

handle_entry *acre_gc_handles_next(const handle_table *t, handle_cursor *cursor) {
  if (!cursor->chunk) {
    /* At the start; a chunk added meanwhile comes first, and what is in it is new, so need not be
     * seen. */
    cursor->chunk = t->first;
    cursor->index = 0;
  }
  if (cursor->chunk && cursor->index == CHUNK_SLOTS) {
    cursor->chunk = cursor->chunk->next;
    cursor->index = 0;
  }
  return cursor->chunk ? &cursor->chunk->slots[cursor->index++] : NULL;
}
