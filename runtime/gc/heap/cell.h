/* SPDX-License-Identifier: MIT */
/* cell.h - from any address to the object there: cells, their colours and headers.  Internal.
 *
 * A cell owns the addresses from the end of its own header to the end of the next one, so that a
 * pointer one past the end of an object is a pointer to it.  Big objects have a byte to spare
 * instead, or no big object starts where they end.
 */
#ifndef ACRE_RUNTIME_GC_HEAP_CELL_H
#define ACRE_RUNTIME_GC_HEAP_CELL_H

#include <string.h>

#include "gc/heap/heap.h"
#include "platform/check.h"

enum colour { COLOUR_WHITE, COLOUR_ECRU, COLOUR_MARKED /* grey or black */ };

/* A cell, or a big object. */
typedef struct cell {
  char *start;   /* its header; of a big object, the object */
  uint32_t page; /* its first */
  uint32_t bit;  /* in the page's bitmaps */
  uint32_t size; /* of the cell; 0 if it has pages of its own */
  uint16_t class;
  bool is_big;
} cell;

/* An object as the program sees it. */
typedef struct object_view {
  char *start;
  size_t size;
  const acre_site *site;
  unsigned flags;
} object_view;

/* -- Cells ------------------------------------------------------------------------------------- */

static inline uint32_t reciprocal_of(uint32_t size) { return ((uint32_t)1 << 26) / size + 1; }
static inline uint32_t divide_offset(size_t offset, uint32_t reciprocal) {
  return (uint32_t)((uint64_t)offset * reciprocal >> 26);
}

/* The last start at or below offset of a mixed page. */
static inline size_t last_start(const uint64_t *starts, size_t offset) {
  size_t at = offset / 8, word = at / 64;
  uint64_t bits = starts[word] & (~(uint64_t)0 >> (63 - at % 64));
  while (!bits)
    bits = starts[--word];
  return (word * 64 + 63 - (size_t)__builtin_clzl(bits)) * 8;
}

/* The first start above offset, or the page's end. */
static inline size_t next_start(const uint64_t *starts, size_t offset) {
  size_t at = offset / 8 + 1, word = at / 64;
  if (word == START_WORDS)
    return ACRE_PAGE_SIZE;
  uint64_t bits = starts[word] & (~(uint64_t)0 << at % 64);
  while (!bits) {
    if (++word == START_WORDS)
      return ACRE_PAGE_SIZE;
    bits = starts[word];
  }
  return (word * 64 + (size_t)__builtin_ctzl(bits)) * 8;
}

static inline void fill_cell(const heap *h, cell *c, uint32_t index, size_t offset, size_t size,
                             uint16_t class) {
  *c = (cell){.start = page_address(h, index) + offset,
              .page = index,
              .bit = (uint32_t)(offset / CELL_MIN),
              .size = (uint32_t)size,
              .class = class};
}

static inline bool find_mixed(const heap *h, uint32_t index, size_t offset, cell *c) {
  const uint64_t *starts = page_starts(h, index);
  size_t start = last_start(starts, offset), size = next_start(starts, offset) - start;
  if (size < h->cells.classes[0].size)
    return false; /* too small for any class */
  fill_cell(h, c, index, start, size, h->cells.class_of[size / 8]);
  return true;
}

/* The big object that ends where page index starts, and is full; 0 if there is none.  That page
 * starts an object or a run. */
static inline uint32_t full_before(const heap *h, uint32_t index) {
  if (index <= h->space.list_pages)
    return 0;
  const cell_page *last = &h->space.pages[index - 1];
  uint32_t first = last->kind == PAGE_INSIDE ? index - 1 - last->count : index - 1;
  return h->space.pages[first].kind == PAGE_BIG && h->space.pages[first].is_full ? first : 0;
}

/* The cell that owns address, free or not. */
static inline bool find_cell(const heap *h, const void *address, cell *c) {
  size_t offset = (size_t)((const char *)address - h->space.base);
  if (offset >= h->space.bytes)
    return false;
  uint32_t index = (uint32_t)(offset >> ACRE_PAGE_SHIFT);
  if (is_list_page(h, index)) {
    if (offset < ACRE_PAGE_SIZE)
      return false;
    offset -= h->header_size + h->cell_origin;
    index = (uint32_t)(offset >> ACRE_PAGE_SHIFT);
  }
  const cell_page *p = &h->space.pages[index];
  if (p->kind == PAGE_INSIDE) {
    uint32_t distance = p->count;
    if (distance > index)
      return false;
    index -= distance;
    p = &h->space.pages[index];
    if (distance >= p->count)
      return false; /* of a free run: what it says is out of date */
  }
  if (p->kind != PAGE_CELLS) {
    uint32_t first = p->kind == PAGE_BIG                 ? index
                     : address == page_address(h, index) ? full_before(h, index)
                                                         : 0;
    *c = (cell){.start = page_address(h, first), .page = first, .is_big = true};
    return first != 0;
  }
  offset &= ACRE_PAGE_SIZE - 1;
  if (p->is_mixed)
    return find_mixed(h, index, offset, c);
  const cell_class *class = &h->cells.classes[p->class];
  if (class->page_count > 1) {
    fill_cell(h, c, index, 0, 0, p->class);
    return true;
  }
  uint32_t number = divide_offset(offset, p->reciprocal);
  if (number >= class->cells)
    return false;
  fill_cell(h, c, index, h->cell_origin + number * class->size, class->size, p->class);
  return true;
}

static inline ring *cell_ring(heap *h, const cell *c) {
  return c->is_big ? &h->cells.big : ring_at(h, segment_of(h, c->page), c->class);
}
static inline acre_ref cell_ref(const ring *r, const cell *c) {
  return c->is_big ? c->page : (acre_ref)((size_t)(c->start - r->base) >> UNIT_SHIFT);
}

/* The cell that a ring's reference names. */
static inline cell cell_at(const heap *h, const ring *r, acre_ref ref) {
  if (r->format == LINKS_PAGES)
    return (cell){.start = page_address(h, ref), .page = ref, .is_big = true};
  char *start = r->base + ((size_t)ref << UNIT_SHIFT);
  uint32_t index = page_index(h, start);
  cell c;
  fill_cell(h, &c, index, (size_t)(start - page_address(h, index)),
            r->cell_size <= CELL_MAX ? r->cell_size : 0, r->class);
  return c;
}

/* -- Colours ----------------------------------------------------------------------------------- */

static inline bool bit_is_set(const uint64_t *words, uint32_t bit) {
  return words[bit / 64] >> bit % 64 & 1;
}
static inline void bit_set(uint64_t *words, uint32_t bit) {
  words[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* In the range that is allocated from, whose bits are set already. */
static inline bool cell_is_pending(const heap *h, const cell *c) {
  if (!h->uses_bitmaps || c->is_big)
    return false;
  const ring *r = ring_at(h, 0, c->class);
  return (size_t)(c->start - r->quick_next) < (size_t)(r->quick_end - r->quick_next);
}

/* cell_colour of one that is not pending. */
static inline enum colour cell_colour_of_bits(const heap *h, const cell *c) {
  uint64_t epoch = h->space.pages[c->page].epoch;
  if (epoch == h->cycle.epoch) {
    if (bit_is_set(page_now(h, c->page), c->bit))
      return COLOUR_MARKED;
    return is_collecting(h) && bit_is_set(page_before(h, c->page), c->bit) ? COLOUR_ECRU
                                                                           : COLOUR_WHITE;
  }
  return is_collecting(h) && epoch + 1 == h->cycle.epoch && bit_is_set(page_now(h, c->page), c->bit)
             ? COLOUR_ECRU
             : COLOUR_WHITE;
}

static inline enum colour cell_colour(const heap *h, const cell *c) {
  return cell_is_pending(h, c) ? COLOUR_WHITE : cell_colour_of_bits(h, c);
}

/* -- Headers ----------------------------------------------------------------------------------- */

/* Wide info: site 48 bits, padding 13, flags 2.  Packed: 16 bits above the links number the site,
   then whether there is padding, then the flags. */
#define INFO_SITE_MASK (((uint64_t)1 << 48) - 1)
#define INFO_PADDING_SHIFT 48
#define INFO_PADDING_MASK ((uint64_t)0x1fff)
#define INFO_FLAGS_SHIFT 61
#define PACKED_SITE_SHIFT (2 * PACKED_LINK_BITS)
#define PACKED_PADDING ((uint64_t)1 << 60)
#define PACKED_INFO_SHIFT PACKED_SITE_SHIFT

/* Padding kept in the padding: its last byte, or 255 there and two bytes before. */
static inline void padding_write(char *end, size_t padding) {
  unsigned char *last = (unsigned char *)end - 1;
  if (padding < 255) {
    *last = (unsigned char)padding;
    return;
  }
  uint16_t wide = (uint16_t)padding;
  *last = 255;
  memcpy(last - 2, &wide, sizeof wide);
}

static inline size_t padding_read(const char *end) {
  const unsigned char *last = (const unsigned char *)end - 1;
  uint16_t wide;
  if (*last < 255)
    return *last;
  memcpy(&wide, last - 2, sizeof wide);
  return wide;
}

/* Writes all of a header but the links.  site: of the packed format, its number. */
static inline void header_write(const heap *h, char *start, size_t cell_size, uint64_t site,
                                size_t padding, unsigned flags) {
  if (!h->is_packed) {
    uint64_t info =
        site | (uint64_t)padding << INFO_PADDING_SHIFT | (uint64_t)flags << INFO_FLAGS_SHIFT;
    ((uint64_t *)start)[h->config.header_words - 1] = info;
    return;
  }
  uint64_t *word = (uint64_t *)start;
  uint64_t info = site << PACKED_SITE_SHIFT | (uint64_t)flags << INFO_FLAGS_SHIFT |
                  (padding ? PACKED_PADDING : 0);
  *word = (*word & (((uint64_t)1 << PACKED_INFO_SHIFT) - 1)) | info;
  if (padding)
    padding_write(start + cell_size, padding);
}

static inline unsigned header_flags(const heap *h, const char *start) {
  return (unsigned)(((const uint64_t *)start)[h->config.header_words - 1] >> INFO_FLAGS_SHIFT & 3);
}
static inline void header_change_flags(const heap *h, char *start, unsigned clear, unsigned set) {
  uint64_t *info = &((uint64_t *)start)[h->config.header_words - 1];
  *info = (*info & ~((uint64_t)clear << INFO_FLAGS_SHIFT)) | (uint64_t)set << INFO_FLAGS_SHIFT;
}

static inline const acre_site *header_site(const heap *h, const char *start) {
  uint64_t info = ((const uint64_t *)start)[h->config.header_words - 1];
  if (!h->is_packed)
    return (const acre_site *)(uintptr_t)(info & INFO_SITE_MASK);
  return h->cells.sites[info >> PACKED_SITE_SHIFT & (SITE_MAX - 1)];
}

static inline size_t header_padding(const heap *h, const cell *c) {
  uint64_t info = ((const uint64_t *)c->start)[h->config.header_words - 1];
  if (!h->is_packed)
    return info >> INFO_PADDING_SHIFT & INFO_PADDING_MASK;
  return info & PACKED_PADDING ? padding_read(c->start + c->size) : 0;
}

/* What a cell's header says is in it. */
static inline object_view cell_object_of_header(const heap *h, const cell *c) {
  const cell_page *p = &h->space.pages[c->page];
  if (c->is_big)
    return (object_view){c->start, p->size, p->site, p->flags};
  object_view o = {.start = c->start + h->header_size,
                   .site = header_site(h, c->start),
                   .flags = header_flags(h, c->start)};
  size_t shift = 0;
  if (o.flags & OBJECT_ALIGNED)
    memcpy(&shift, o.start, sizeof shift);
  o.start += shift;
  o.size = c->size ? c->size - h->header_size - shift - header_padding(h, c) : p->size;
  return o;
}

/* The object in a cell.  Needs one whose bits say that it has one: a pending cell reads as zero. */
static inline object_view cell_object(const heap *h, const cell *c) {
  ACRE_ASSERT(cell_colour_of_bits(h, c) != COLOUR_WHITE);
  return cell_object_of_header(h, c);
}

static inline unsigned cell_flags(const heap *h, const cell *c) {
  return c->is_big ? h->space.pages[c->page].flags : header_flags(h, c->start);
}
static inline void cell_change_flags(heap *h, const cell *c, unsigned clear, unsigned set) {
  if (c->is_big)
    h->space.pages[c->page].flags = (uint8_t)((h->space.pages[c->page].flags & ~clear) | set);
  else
    header_change_flags(h, c->start, clear, set);
}

/* How many pages a big object is for the pace of collections: one without pointers is marked as
 * quickly as a cell is. */
static inline size_t big_work(const cell_page *p) { return p->has_pointers ? p->count : 1; }

/* Bytes of the limit that the object takes. */
static inline size_t cell_bytes(const heap *h, const cell *c) {
  return c->size ? c->size : (size_t)h->space.pages[c->page].count << ACRE_PAGE_SHIFT;
}

#endif
