#include "headed.h"

#include <stdlib.h>
#include <string.h>

typedef struct header header;
struct header {
  header *next;
  size_t size;
  context *owner;
};

struct context {
  header *objects;
};

context *current;

static header *header_of(void *object) { return (header *)object - 1; }

context *context_new(void) {
  context *c = calloc(1, sizeof *c);
  if (!c)
    abort();
  return c;
}

void context_reset(context *c) {
  while (c->objects) {
    header *h = c->objects;
    c->objects = h->next;
    free(h);
  }
}

void context_delete(context *c) {
  context_reset(c);
  free(c);
}

void *take_any(context *c, size_t size) {
  header *h = malloc(sizeof *h + size);
  if (!h)
    abort();
  *h = (header){c->objects, size, c};
  c->objects = h;
  return memset(h + 1, 0, size);
}

void *take(size_t size) { return size > LARGEST ? NULL : take_any(current, size); }

context *context_of(void *object) { return header_of(object)->owner; }
size_t space_of(void *object) { return header_of(object)->size + sizeof(header); }

void give_back(void *object) {
  header **link = &context_of(object)->objects, *h = header_of(object);
  while (*link != h)
    link = &(*link)->next;
  *link = h->next;
  free(h);
}

void *resize_any(void *object, size_t size) {
  size_t old = space_of(object) - sizeof(header);
  void *fresh = take_any(context_of(object), size);
  memcpy(fresh, object, old < size ? old : size);
  give_back(object);
  return fresh;
}

void *resize(void *object, size_t size) {
  return size > LARGEST ? NULL : resize_any(object, size);
}

size_t context_total(context *c) {
  size_t total = 0;
  for (const header *h = c->objects; h; h = h->next)
    total += h->size;
  return total;
}

int is_context_empty(context *c) { return !c->objects; }
