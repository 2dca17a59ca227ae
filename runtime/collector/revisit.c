/* revisit.c - see revisit.h.  A heap whose writes the kernel watches needs no barrier (docs/design/collector.md, Stores without a
 * barrier).
 *
 * Invariant: in PHASE_REVISIT, of the pages before revisit_page, and where is_protected says so of all pages, each word of a marked
 * object refers to no ecru object, unless its page was written after it was last protected.  Visiting is: protect, then
 * read; what is written in between is written after.
 *
 * Before PHASE_REVISIT pages are not protected: marking relinks cells, so every page would be written all the same.
 */
#include "revisit.h"

#include "../descriptor.h"
#include "../os.h"
#include "carve.h"
#include "mark.h"
#include "track.h"

/* Protected at a time. */
#define PROTECT_PAGES 64
/* Released at a time: it takes 1/8 of a fault for each page. */
#define RELEASE_PAGES 128
/* The system's pages whose writes are asked for at a time.  Not less than two pages of the heap. */
#define CHASE_STEP 4
/* Looked at for one question, if nothing there was written. */
#define QUESTION_PAGES 2048
/* A pass that found no more than so many bytes written was the last; so is the PASSES_MAX-th. */
#define CHASE_FEW ((size_t)64 << 10)
#define PASSES_MAX 8
/* What walking the cells of a page takes, in slots, and a question to the kernel. */
#define WALK_WORDS 128
#define QUESTION_WORDS 128

/* -- Objects ---------------------------------------------------------------------------------------------- */

typedef struct slots {
  heap *heap;
  const char *base;
} slots;

/* Each function returns how many slots it has visited; an object counts as one more, as in marking. */

static void visit_slot(const acre_slot *run, size_t offset, void *context) {
  const slots *s = context;
  void *value;
  (void)run;
  memcpy(&value, s->base + offset, sizeof value);
  mark_value(s->heap, value);
}

/* Marks what the part of a marked object in [start, end) refers to.  By its type it is visited whole. */
static size_t visit_object(heap *h, const cell *c, const char *start, const char *end) {
  if (cell_colour(h, c) != COLOUR_MARKED)
    return 0;
  object_view o = cell_object(h, c);
  size_t bytes = 0;
  if (site_has_no_pointers(o.site))
    return 1;
  h->holder = o.start;
  const acre_type *type = o.site ? o.site->type : NULL;
  if (type && (o.size <= ACRE_PAGE_SIZE || acre_type_is_packed(type, (uintptr_t)o.start))) {
    acre_type_each_slot(type, o.size, visit_slot, &(slots){h, o.start});
    bytes = o.size;
  } else {
    const char *first = o.start > start ? o.start : start, *last = o.start + o.size < end ? o.start + o.size : end;
    bytes = first < last ? (size_t)(last - first) : 0;
    acre_gc_mark_words(h, first, bytes);
  }
  h->holder = NULL;
  return bytes / sizeof(void *) + 1;
}

static size_t visit_cells(heap *h, uint32_t index, const char *start, const char *end) {
  page_walk walk = {h, index, 0};
  cell c;
  size_t visited = WALK_WORDS;
  for (bool is_cell; acre_gc_page_next(&walk, &c, &is_cell);)
    if (is_cell && c.start < end && c.start + c.size > start)
      visited += visit_object(h, &c, start, end);
  return visited;
}

/* The part [start, end) of one page. */
static size_t visit_page(heap *h, uint32_t index, const char *start, const char *end) {
  const page *p = &h->pages[index];
  uint32_t first = p->kind == PAGE_INSIDE && p->count <= index ? index - p->count : index;
  const page *f = &h->pages[first];
  if (index - first >= f->count)
    return 1; /* not in an object */
  cell c;
  if (f->kind == PAGE_BIG)
    return visit_object(h, &(cell){.start = page_address(h, first), .page = first, .is_big = true}, start, end);
  if (f->kind != PAGE_CELLS || segment_of(h, first) * h->segment_pages == first)
    return 1;
  if (h->classes[f->class].page_count == 1)
    return visit_cells(h, index, start, end);
  fill_cell(h, &c, first, 0, 0, f->class);
  return visit_object(h, &c, start, end);
}

static void visit_range(heap *h, uintptr_t start, uintptr_t end) {
  for (uintptr_t at = start; at < end;) {
    uint32_t index = page_index(h, (const void *)at);
    uintptr_t next = (uintptr_t)page_address(h, index + 1);
    next = next < end ? next : end;
    visit_page(h, index, (const char *)at, (const char *)next);
    at = next;
  }
}

/* -- Passes ----------------------------------------------------------------------------------------------- */

/* The pages that may hold objects are two ranges: the end of the one that index is in or before; 0 behind both. */
static uint32_t range_at(const heap *h, uint32_t *index) {
  if (*index >= h->list_frontier && *index < h->list_pages)
    *index = h->list_pages;
  if (*index < h->list_frontier)
    return h->list_frontier;
  return *index < h->big_frontier ? h->big_frontier : 0;
}

static void start_pass(heap *h) {
  h->revisit_page = h->protected_page = 0;
  h->chased_bytes = 0;
  h->passes++;
}

/* The kernel does not watch any more: in the child of a fork, or the program has closed what it does not know. */
static void lose(heap *h) { h->is_tracked = h->is_protected = false; }

static uintptr_t address_of(const heap *h, uint32_t index) { return (uintptr_t)page_address(h, index); }

void acre_gc_revisit_start(heap *h) {
  h->passes = h->settled = 0;
  h->is_protected = false;
  start_pass(h);
}

bool acre_gc_revisit_some(heap *h, budget *b) {
  for (uint32_t end; (end = range_at(h, &h->revisit_page)) != 0; h->revisit_page++) {
    if (b->words == 0)
      return false;
    if (h->revisit_page >= h->protected_page) {
      uint32_t until = end - h->revisit_page < PROTECT_PAGES ? end : h->revisit_page + PROTECT_PAGES;
      if (!acre_gc_track_written(h, address_of(h, h->revisit_page), address_of(h, until), 0, NULL)) {
        lose(h);
        return false;
      }
      h->protected_page = until;
    }
    uint32_t index = h->revisit_page;
    budget_use(b, visit_page(h, index, page_address(h, index), page_address(h, index + 1)) + 1);
  }
  start_pass(h);
  return h->is_protected = true;
}

static void chase(heap *h, uintptr_t start, uintptr_t end) {
  h->chased_bytes += end - start;
  visit_range(h, start, end);
}

/* A pass over what was written; true when it is done. */
static bool pass_some(heap *h, budget *b) {
  for (uint32_t end; (end = range_at(h, &h->revisit_page)) != 0;) {
    if (b->words == 0)
      return false;
    size_t before = h->chased_bytes;
    uint32_t until = end - h->revisit_page < QUESTION_PAGES ? end : h->revisit_page + QUESTION_PAGES;
    uintptr_t at = acre_gc_track_written(h, address_of(h, h->revisit_page), address_of(h, until), CHASE_STEP, chase);
    if (!at) {
      lose(h);
      return false;
    }
    /* The rest of a page that the walk ended in is looked at again. */
    h->revisit_page = page_index(h, (const void *)at);
    budget_use(b, (h->chased_bytes - before) / sizeof(void *) + QUESTION_WORDS);
  }
  return true;
}

bool acre_gc_chase_some(heap *h, budget *b) {
  while (pass_some(h, b)) {
    bool is_last = h->chased_bytes <= CHASE_FEW || h->passes >= PASSES_MAX;
    start_pass(h);
    if (is_last)
      return true;
  }
  return false;
}

void acre_gc_revisit_last(heap *h) {
  uint32_t at = 0;
  for (uint32_t end; h->is_protected && (end = range_at(h, &at)) != 0; at = end)
    if (!acre_gc_track_look(h, address_of(h, at), address_of(h, end), visit_range))
      lose(h);
  if (h->is_protected)
    return;
  /* Nobody knows what was written. */
  for (at = 0; range_at(h, &at) != 0; at++)
    visit_range(h, address_of(h, at), address_of(h, at + 1));
}

void acre_gc_release_start(heap *h) {
  h->is_releasing = h->is_tracked && h->is_protected;
  h->is_protected = false;
  h->revisit_page = 0;
}

void acre_gc_release_some(heap *h) {
  uint32_t end = range_at(h, &h->revisit_page), from = h->revisit_page;
  uint32_t until = end - from < RELEASE_PAGES ? end : from + RELEASE_PAGES;
  h->is_releasing = end != 0 && acre_gc_track_release(h, address_of(h, from), address_of(h, until));
  h->revisit_page = until;
}

bool acre_gc_revisit_is_awaited(const heap *h, const void *address) {
  bool is_passed = h->is_protected || (h->phase == PHASE_REVISIT && page_index(h, address) < h->revisit_page);
  return !h->is_tracked || !is_passed || acre_gc_track_is_written(address);
}
