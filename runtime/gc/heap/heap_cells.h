/* SPDX-License-Identifier: MIT */
/* heap_cells.h - the cells of a heap: size classes, the ring of each, the big objects.  Internal.
 *
 * A *reference* (acre_ref) names a cell by its distance from the start of its segment in units of 8
 * bytes, or a big object by the number of its first page.
 *
 * Invariant: ring.h has that of the rings, format.h and bitmap.h those of a class's lists of pages.
 * A class has its bit in free_classes if it has a free page.  big_used_pages, big_ecru_pages and
 * big_dead_pages are the pages of big objects by colour (marked, ecru, white), and the work of the
 * first two is what big_work says of each.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_HEAP_CELLS_H
#define ACRE_RUNTIME_GC_HEAP_HEAP_CELLS_H

#include "gc/heap/heap_space.h"

#define PACKED_LINK_BITS 22
#define SEGMENT_PAGES_PACKED (((size_t)1 << (PACKED_LINK_BITS + UNIT_SHIFT)) >> ACRE_PAGE_SHIFT)
#define CLASS_MAX ACRE_HEAP_CLASS_MAX
#define SITE_MAX ((size_t)1 << 16) /* of the packed format */
#define QUICK_WORDS 64             /* larger objects are not allocated quickly */

enum { OBJECT_FREED = 1, OBJECT_ALIGNED = 2 };

enum link_format {
  LINKS_PAGES = 0,
  LINKS_PACKED = 1,
  LINKS_HALF = 2,
  LINKS_FULL = 3,
  LINKS_NONE = 4
};

/* See docs/design/collector/heap.md, The treadmill. */
typedef struct ring {
  char *base; /* start of its segment; for big objects, the page table */
  acre_ref sentinel, black, grey, ecru;
  size_t count, white_count, grey_count, ecru_count; /* count has cells of all colours */
  struct ring *next_grey;                            /* links cycle.grey_rings */
  uint32_t cell_size;                                /* 0: its cells are big objects */
  /* Allocation without a look at the lists.  quick_page is the page that it took cells from last,
     and up to date in this epoch; null: none.  quick_bits is that page's bitmap `now`. */
  char *quick_page;
  uint64_t *quick_bits;
  /* LINKS_NONE: quick_page is the page's first cell, quick_bits the word that is allocated from:
     from quick_next to quick_end next, then the cells of quick_white.  quick_offset is where the
     cell of the word's first bit lies from quick_page. */
  char *quick_next, *quick_end;
  uint64_t quick_white;
  uint32_t quick_offset;
  uint32_t reciprocal; /* divides by cell_size */
  uint16_t class;
  uint8_t format;
  bool has_grey; /* is in cycle.grey_rings */
} ring;

typedef struct cell_class {
  uint32_t size;       /* a cell's, with its header */
  uint32_t page_count; /* pages of a cell, if it is larger than a page; else 1 */
  uint32_t cells;      /* how many a page has */
  uint32_t reciprocal;
  size_t segment; /* whose ring is allocated from */
  page_list free, used, ecru;
  page_list waiting, full, ecru_full; /* uses_bitmaps: see bitmap.h */
  /* uses_bitmaps: the page that is allocated from, which is in no list (0: none), and the bits that
     cells have in a page's bitmap. */
  uint32_t current;
  uint64_t starts[BITMAP_WORDS];
  size_t page_total; /* pages in these lists, or that would be if lists were kept */
} cell_class;

typedef struct heap_cells {
  ring *quick_rings[QUICK_WORDS + 1]; /* by words of an object of natural alignment */
  uint32_t quick_aligns;              /* bit n: alignment n may be allocated quickly; allocate.c */
  uint32_t cleared_classes;           /* uses_bitmaps: how many of the smallest classes serve
                                         quick_rings; their cells are cleared when taken */
  bool has_freed;                     /* an object was ever freed */
  bool defers_clearing; /* who allocates clears what may be cleared without the lock */
  size_t deferred;      /* so: how much of the object, which is a big one */
  uint32_t fill_class;  /* where the search for gaps goes on */
  ring *rings;          /* segment * class_count + class */
  ring big;
  size_t big_used_pages, big_ecru_pages, big_dead_pages; /* dead: white, not yet turned into runs */
  size_t big_used_work, big_ecru_work;                   /* see big_work */
  size_t class_count, segment_count, segments_started;
  uint64_t free_classes[CLASS_MAX / 64]; /* classes with free pages */
  cell_class classes[CLASS_MAX];
  uint8_t class_of[CELL_MAX / 8 + 1];

  /* The packed format numbers the sites it has seen. */
  const acre_site **sites;
  uint32_t *site_table; /* open addressing; 0: none */
  uint32_t site_count;
} heap_cells;

#endif
