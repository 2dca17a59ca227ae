/* resize.c - objects that change their size where they are. */
#include "resize.h"

#include <string.h>

#include "../annotate.h"

/* What the object's place can hold. */
static size_t capacity_of(const heap *h, const cell *c, const object_view *o) {
  if (c->is_big)
    return cell_bytes(h, c) - !h->pages[c->page].is_full; /* a byte to spare, as in allocate.c */
  return (size_t)(c->start + c->size - o->start);
}

/* What is resized may be used for something else from now on: its type is not known any more. */
static void write_size(heap *h, const cell *c, const object_view *o, size_t size) {
  if (c->is_big) {
    page *p = &h->pages[c->page];
    size_t *work = cell_colour(h, c) == COLOUR_ECRU ? &h->big_ecru_work : &h->big_used_work;
    *work -= big_work(p);
    p->has_pointers = true;
    *work += big_work(p);
    p->size = size;
    p->site = NULL;
    return;
  }
  size_t padding = capacity_of(h, c, o) - size;
  header_write(h, c->start, c->size, 0, padding, o->flags);
}

/* What was allocated only grows; a smaller object makes what is alive less, and what is marked, if it is. */
static void count_resize(heap *h, size_t delta, bool is_larger, bool is_marked) {
  if (is_larger)
    h->made.useful += delta;
  else
    h->alive_less_made.useful += delta;
  if (is_larger != is_marked)
    h->marked_less_made.useful += is_larger ? -delta : delta;
}

bool acre_gc_resize(heap *h, const cell *c, const object_view *o, size_t size) {
  /* Headers of one word keep the padding, and a number for the site, in another way; so do cells of several pages. */
  if (h->is_packed || (!c->is_big && c->size == 0) || size > capacity_of(h, c, o) || size < o->size / 2)
    return false;
  if (size > o->size) {
    if (h->is_checked)
      acre_mark_undefined(o->start + o->size, size - o->size);
    memset(o->start + o->size, 0, size - o->size);
  }
  write_size(h, c, o, size);
  count_resize(h, size - o->size, size > o->size, cell_colour(h, c) == COLOUR_MARKED);
  return true;
}
