/* handles.c - see handles.h. */
#include "gc/heap/handles.h"

#define CHUNK_SLOTS ((ACRE_WINDOW_PAGE_SIZE - sizeof(void *)) / sizeof(slot))

typedef struct slot_chunk {
  struct slot_chunk *next;
  slot slots[CHUNK_SLOTS];
} slot_chunk;

slot *acre_gc_table_take(slot_table *t, void *object) {
  if (!t->unused) {
    slot_chunk *chunk = acre_pages_alloc(1, 0);
    if (!chunk)
      return NULL;
    chunk->next = t->first;
    t->first = chunk;
    for (size_t i = CHUNK_SLOTS; i-- > 0;)
      acre_gc_table_return(t, &chunk->slots[i]);
  }
  slot *s = t->unused;
  t->unused = s->next;
  *s = (slot){.object = object, .state = SLOT_USED};
  return s;
}

void acre_gc_table_return(slot_table *t, slot *s) {
  *s = (slot){.next = t->unused};
  t->unused = s;
}

void acre_gc_table_end(slot_table *t) {
  for (slot_chunk *chunk = t->first, *next; chunk; chunk = next) {
    next = chunk->next;
    acre_pages_free(chunk, 1);
  }
}

void acre_gc_table_each_chunk(const slot_table *t, void (*visit)(const void *start, size_t size, void *context),
                              void *context) {
  for (const slot_chunk *chunk = t->first; chunk; chunk = chunk->next)
    visit(chunk, sizeof *chunk, context);
}

slot *acre_gc_table_next(const slot_table *t, slot_cursor *cursor) {
  if (!cursor->chunk) {
    /* At the start; a chunk added meanwhile comes first, and what is in it is new, so need not be seen. */
    cursor->chunk = t->first;
    cursor->index = 0;
  }
  if (cursor->chunk && cursor->index == CHUNK_SLOTS) {
    cursor->chunk = cursor->chunk->next;
    cursor->index = 0;
  }
  return cursor->chunk ? &cursor->chunk->slots[cursor->index++] : NULL;
}
