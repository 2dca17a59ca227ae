/* SPDX-License-Identifier: MIT */
/* heap_space.h - the memory of a heap: which pages have frames, and what each page is.  Internal.
 *
 * A heap's memory is base[0 .. total_pages): the list area, then the big area.
 *
 * Invariant: space.c has it; mapped_pages counts the pages whose frames count, is at most
 * limit_pages, and no page from list_frontier on, or of the big area from big_frontier on, was ever
 * part of an object.  Changed by space.c, and what a page is by format.c.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_SPACE_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/heap.h>

/* Pages of a heap, smaller than those of the window. */
#define ACRE_PAGE_SHIFT 13
#define ACRE_PAGE_SIZE ((size_t)1 << ACRE_PAGE_SHIFT)

#define UNIT_SHIFT 3
#define CELL_MIN 16
#define CELL_MAX ACRE_PAGE_SIZE
#define PAGE_CELLS_MAX (ACRE_PAGE_SIZE / CELL_MIN)
#define BITMAP_WORDS (PAGE_CELLS_MAX / 64)
#define START_WORDS (ACRE_PAGE_SIZE / 8 / 64)
#define BLOCK_PAGES 32
#define BIN_COUNT 32

typedef uint32_t acre_ref;

/* What a page is.  Of a run or a cell of several pages the first has the kind; INSIDE is each of
   the others, except that the last page of a FREE or HOLE run says so too. */
enum page_kind {
  PAGE_NONE = 0, /* list area: never used, or without a frame in list_holes */
  PAGE_SPARE,    /* list area: has a frame and no class */
  PAGE_CELLS,    /* list area: cells of a class */
  PAGE_BIG,      /* big area: an object */
  PAGE_FREE,     /* big area: a free run with frames */
  PAGE_HOLE,     /* big area: a run without frames */
  PAGE_OWED,     /* frames that are to go back: a run of either area */
  PAGE_INSIDE
};

typedef struct cell_page {
  uint64_t epoch;
  const acre_site *site; /* of a big object */
  size_t size;           /* of the object, where a cell or a big object has pages of its own */
  union {
    struct {
      acre_ref ring_next, ring_previous; /* of a big object */
    };
    struct {
      uint32_t cell_size, cells; /* of a page of cells: its class's */
    };
  };
  uint32_t next, previous; /* list of pages or runs; 0: none */
  uint32_t count; /* pages from here; of the last and of INSIDE pages: see above, or the distance to
                     the first */
  uint32_t reciprocal; /* of the cell size, for cell.h */
  uint32_t next_grey;  /* heap->uses_bitmaps: in the queue from cycle.grey_first; 0: none */
  uint16_t marked;     /* so: cells grey or black; not known of the page that is allocated from */
  uint16_t class;
  uint8_t kind;
  uint8_t flags;
  bool is_mixed;
  bool is_clean;     /* of the list area: white cells read as zero, because none was ever allocated
                        since the frame came */
  bool is_grey;      /* in that queue; of a big object: it is */
  bool has_pointers; /* of a big object: it may have some */
  bool is_full; /* of a big object: it has its pages to the last byte, so that no other may start
                   behind it */
  bool may_be_protected; /* it was protected, and not released since */
  bool is_returned;      /* of a big object that was freed: its memory went back to the system */
  bool was_found;        /* of such a one: a collection has found it */
  uint8_t watched; /* the collection (the low bits of its epoch) in which it was protected before it
                      was scanned */
} cell_page;

/* A null-terminated list of pages by number. */
typedef struct page_list {
  uint32_t first, last;
  size_t count;
} page_list;

typedef struct heap_space {
  char *base;
  size_t bytes;     /* of address space */
  char *cells_base; /* uses_bitmaps: what lies so far behind it as the list area is large belongs to
                       the cell at base and as far */
  size_t list_bytes;
  uint32_t list_pages, total_pages;
  size_t segment_pages;
  cell_page *pages;
  uint64_t *bits;        /* for each page: now, before */
  uint64_t *starts;      /* for each page: where the cells of a mixed page start, by 8 bytes */
  uint8_t *block_epochs; /* uses_bitmaps: for each BLOCK_PAGES of the list area, when one of them
                            was touched last (low bits) */
  uint8_t *page_epochs;  /* the same for each page of the list area: close together, so that where
                            most is marked a lookup reads little */

  size_t limit_pages, mapped_pages; /* mapped: with frames that count */
  size_t owed_pages;
  uint32_t list_frontier, list_committed,
      list_populated;     /* pages never used, made accessible, that got frames */
  uint32_t big_committed; /* pages of the big area before it were made accessible */
  uint32_t big_frontier;  /* no page of the big area from here on was ever part of an object */
  page_list spare, list_holes, owed;
  page_list free_bins[BIN_COUNT], hole_bins[BIN_COUNT];
  uint32_t free_bin_mask, hole_bin_mask;
  size_t free_run_pages;
} heap_space;

#endif
