/* SPDX-License-Identifier: MIT */
/* resize.c - objects that change their size where they are. */
#include "gc/cycle/resize.h"

#include <string.h>

#include "memory/descriptor.h"
#include "platform/check.h"
#include "platform/sanitizer.h"

/* What the object's place can hold. */
static size_t capacity_of(const heap *h, const cell *c, const object_view *o) {
  if (c->is_big)
    return cell_bytes(h, c) -
           !h->space.pages[c->page].is_full; /* a byte to spare, as in allocate.c */
  return (size_t)(c->start + c->size - o->start);
}

static void write_size(heap *h, const cell *c, const object_view *o, size_t size,
                       const acre_site *site) {
  if (c->is_big) {
    cell_page *p = &h->space.pages[c->page];
    size_t *work =
        cell_colour(h, c) == COLOUR_ECRU ? &h->cells.big_ecru_work : &h->cells.big_used_work;
    *work -= big_work(p);
    p->has_pointers = !acre_site_has_no_pointers(site);
    *work += big_work(p);
    p->size = size;
    p->site = site;
    return;
  }
  size_t padding = capacity_of(h, c, o) - size;
  header_write(h, c->start, c->size, (uintptr_t)site, padding, o->flags);
}

/* What was allocated only grows; a smaller object makes what is alive less, and what is marked, if
 * it is. */
static void count_resize(heap *h, size_t delta, bool is_larger, bool is_marked) {
  if (is_larger)
    h->account.made.useful += delta;
  else
    h->account.alive_less_made.useful += delta;
  if (is_larger != is_marked)
    h->account.marked_less_made.useful += is_larger ? -delta : delta;
}

/* Headers of one word keep the padding, and a number for the site, in another way; so do cells of
 * several pages. */
static bool is_resizable(const heap *h, const cell *c) {
  return !h->is_packed && (c->is_big || c->size != 0);
}

static void change_size(heap *h, const cell *c, const object_view *o, size_t size,
                        const acre_site *site) {
  if (size > o->size) {
    if (h->is_checked)
      acre_sanitizer_allow(o->start + o->size, size - o->size);
    memset(o->start + o->size, 0, size - o->size);
  }
  write_size(h, c, o, size, site);
  count_resize(h, size - o->size, size > o->size, cell_colour(h, c) == COLOUR_MARKED);
}

/* What is resized may be used for something else from now on: its type is not known any more. */
bool acre_gc_resize(heap *h, const cell *c, const object_view *o, size_t size) {
  ACRE_ASSERT(cell_colour(h, c) != COLOUR_WHITE);
  if (!is_resizable(h, c) || size > capacity_of(h, c, o) || size < o->size / 2)
    return false;
  change_size(h, c, o, size, NULL);
  return true;
}

size_t acre_gc_fill_place(heap *h, const cell *c, const object_view *o) {
  ACRE_ASSERT(cell_colour(h, c) != COLOUR_WHITE);
  if (!is_resizable(h, c))
    return o->size;
  size_t size = capacity_of(h, c, o), in_its_pages = round_up(o->size, ACRE_PAGE_SIZE);
  if (c->is_big && size > in_its_pages)
    size = in_its_pages;
  if (size <= o->size)
    return o->size;
  change_size(h, c, o, size, o->site);
  return size;
}
