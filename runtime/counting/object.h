/* SPDX-License-Identifier: MIT */
/* object.h - the objects in a region's blocks.  Internal to the runtime.
 *
 * Invariant of a block's bytes from ACRE_BLOCK_HEADER to the end of its objects:
 *
 *   (padding: zero words | object header | object)*
 *
 * where an object header is one word, the site and a mark in the low 48 bits and the size in bytes
 * in the high 16, or, when the size does not fit, that word with 0xffff and one more word with the
 * size.  Sizes are never 0, so a header is never a zero word.
 *
 * The index of starts has a bit for each word of the window, set if an object starts there that its
 * block's `indexed` lies behind: it answers which object an address lies in, and is made and filled
 * as such questions are asked.
 */
#ifndef ACRE_RUNTIME_COUNTING_OBJECT_H
#define ACRE_RUNTIME_COUNTING_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>
#include <acre/bump.h>

#include "counting/block.h"
#include "memory/pages.h"
#include "platform/check.h"

/* Larger objects, in bytes, get a block of their own. */
#define ACRE_OBJECT_LARGE ACRE_BUMP_MAX
/* No single object can be larger, in bytes: sizes beyond are out of memory without asking. */
#define ACRE_OBJECT_MAX ((size_t)1 << 40)
#define ACRE_HEADER_SIZE_ESCAPE 0xffffu
#define ACRE_WORD ((size_t)8)

/* What the program has said of an object, in the low bits of its site's address. */
enum acre_object_mark {
  ACRE_OBJECT_IN_USE,
  ACRE_OBJECT_GIVEN_BACK, /* not to be used any more (region/given_back.h) */
  ACRE_OBJECT_HELD        /* the same, while a search runs: something refers to it */
};

struct acre_object {
  char *start;
  size_t size;           /* bytes asked for; 0: no object */
  const acre_site *site; /* or null */
  enum acre_object_mark mark;
};

static inline char *acre_align_up(const char *p, size_t align) {
  return (char *)(((uintptr_t)p + align - 1) & ~(uintptr_t)(align - 1));
}
static inline size_t acre_header_bytes(size_t size) {
  return size < ACRE_HEADER_SIZE_ESCAPE ? ACRE_WORD : 2 * ACRE_WORD;
}

/* The slow half of allocation: more cleared memory, or a new block, for size bytes.  Null when
 * memory is out. */
void *acre_object_alloc_slow(struct acre_region_entry *region, struct acre_allocator *allocator,
                             size_t size, size_t align, const acre_site *site);

/* size bytes, zeroed, in the current block; null without room.  Needs size from 1 to
 * ACRE_OBJECT_LARGE and align, a power of two, of at most 16. */
static inline void *acre_bump_take(acre_rt_bump *bump, size_t size, size_t align,
                                   const acre_site *site) {
  ACRE_ASSERT(size - 1 < ACRE_OBJECT_LARGE && align <= 16 && !(align & (align - 1)));
  char *start = acre_align_up(bump->avail + ACRE_WORD, align < ACRE_WORD ? ACRE_WORD : align);
  char *end = acre_align_up(start + size, ACRE_WORD);
  if (__builtin_expect(end > bump->limit, 0))
    return NULL;
  ((uint64_t *)start)[-1] = (uint64_t)size << 48 | (uintptr_t)site;
  bump->avail = end;
  bump->last = start;
  return start;
}

/* Clears more of the current block, so that size bytes fit for certain; false if it has not so much
 * left. */
bool acre_object_make_room(struct acre_allocator *allocator, size_t size);

/* size bytes, zeroed.  Null when memory is out.  Needs size > 0 and align to be a power of two. */
static inline void *acre_object_alloc(struct acre_region_entry *region,
                                      struct acre_allocator *allocator, size_t size, size_t align,
                                      const acre_site *site) {
  ACRE_ASSERT(size > 0 && align > 0 && !(align & (align - 1)));
  void *start = size <= ACRE_OBJECT_LARGE && align <= 16
                    ? acre_bump_take(&allocator->bump, size, align, site)
                    : NULL;
  return start ? start : acre_object_alloc_slow(region, allocator, size, align, site);
}

/* Makes object size bytes long, in place; false if it cannot be.  Bytes added are zero; bytes
   dropped are cleared and have no records any more.  Needs size > 0 and object to be one of
   allocator. */
bool acre_object_resize(struct acre_region_entry *region, struct acre_allocator *allocator,
                        struct acre_object *object, size_t size);

/* The object that p points into, or just past; its size is 0 if there is none.  O(its size / 512),
   and each object is put into an index once; O(objects in a block) if there is no memory for that.
 */
struct acre_object acre_object_find(const void *p);
/* The bytes of the object that p points into, or just past, or ACRE_RANGE_OF_ALL.  Needs p to lie
 * in a page that a region owns. */
acre_rt_range acre_object_range(const void *p);
/* The range of the object that starts at start.  The last word tells the two forms of header
   apart, since no object is as large as 2^48 bytes. */
static inline acre_rt_range acre_object_range_at(char *start) {
  uint64_t size = ((uint64_t *)start)[-1] >> 48;
  return (acre_rt_range){start, start + (size ? size : ((uint64_t *)start)[-1])};
}

#define ACRE_PAGE_WORDS (ACRE_WINDOW_PAGE_SIZE / ACRE_WORD)
#define ACRE_START_BITS 64

/* bits has one for each word of the window, set if an object before its block's `indexed` starts
   there.  of_page says of each page how many of its words are before that or, if only one object is
   in its block, where it starts.  pages is how many there are, 0 while there is no index, and set
   last. */
struct acre_start_index {
  uint64_t *bits;
  uintptr_t *of_page;
  size_t pages;
};
extern struct acre_start_index acre_start_index;

/* The start of the object that p points into, or just past, if the index says so at once: that is
   so if the object is alone in its block, or at most 512 bytes before p.  Else null.  Needs p to
   lie in a page of the index. */
static inline char *acre_object_known_start(const void *p) {
  size_t word = ((uintptr_t)p - acre_rt_window_base) / ACRE_WORD;
  ACRE_ASSERT(word / ACRE_PAGE_WORDS < acre_start_index.pages);
  uintptr_t known =
      __atomic_load_n(&acre_start_index.of_page[word / ACRE_PAGE_WORDS], __ATOMIC_ACQUIRE);
  if (known > ACRE_PAGE_WORDS)
    return (uintptr_t)p >= known ? (char *)known : NULL;
  if (word % ACRE_PAGE_WORDS >= known)
    return NULL;
  /* Starts up to p in its word of the table; p's own is the highest bit. */
  uint64_t bits = acre_start_index.bits[word / ACRE_START_BITS]
                  << (ACRE_START_BITS - 1 - word % ACRE_START_BITS);
  return bits ? (char *)acre_rt_window_base + (word - (size_t)__builtin_clzll(bits)) * ACRE_WORD
              : NULL;
}
/* The object that starts at p; its size is 0 if none does. */
struct acre_object acre_object_at(void *p);
/* The allocator that made the object at p.  Needs p to lie in region memory. */
struct acre_allocator *acre_object_allocator(const void *p);

void acre_object_each(struct acre_region_entry *region,
                      void (*visit)(const struct acre_object *object, void *context),
                      void *context);
/* The first object at or behind p, which is where one ends or the block's objects begin; its size
   is 0 if none is whole before end, whatever bytes are there. */
struct acre_object acre_object_next(char *p, const char *end);
static inline char *acre_object_end(const struct acre_object *object) {
  return acre_align_up(object->start + object->size, ACRE_WORD);
}
/* Gives an object of region back before the region goes: its pages if it has a block of its own,
   its bytes if it is the last of its block; else it stays, all zero, and acre_object_is_released.
   O(its size).  Needs it to be free of records, and its region not to allocate meanwhile. */
void acre_object_release(struct acre_region_entry *region, const struct acre_object *object);
bool acre_object_is_released(const struct acre_object *object);
void acre_object_set_mark(const struct acre_object *object, enum acre_object_mark mark);
/* Makes an object that was released one of size bytes, at the same place.  Needs it to be all zero,
 * and at least as large. */
void acre_object_use_again(const struct acre_object *object, size_t size, const acre_site *site);
/* Gives all pages of region back.  Needs them to be free of records. */
void acre_object_free_all(struct acre_region_entry *region);
/* Walks the region's blocks and objects and checks the invariant above. */
bool acre_object_check(struct acre_region_entry *region);

#endif
