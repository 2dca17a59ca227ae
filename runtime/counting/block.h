/* SPDX-License-Identifier: MIT */
/* block.h - the blocks of pages in which a region's objects lie.  Internal to the runtime.
 *
 * A region has two allocators, one for objects that may hold pointers and one for those that
 * cannot.  Each has a list of blocks; it allocates from the first, the current one, by moving
 * `avail` up to `limit`, which callers do in line (acre/bump.h).  A block is a run of pages: a
 * header, then objects (object.h).
 *
 * Invariant: each page that a region owns is in one block, and the block is in the list of one of
 * the region's allocators.  [avail, limit) is zero.  Pages that have been used before are cleared
 * piece by piece, just before objects come to lie there, and limit is where that ends; what lies
 * after it is unknown.  At least ACRE_BLOCK_SLACK bytes at the end of a block are in no object, so
 * that one past the end of an object is still in the block.
 *
 * From an address in the middle of a block to its header: for each page of the window a word says
 * how many pages before it the block begins (ACRE_BACK_MAX: at least that many, look again there).
 * The words are in chunks that are mapped when first needed.
 */
#ifndef ACRE_RUNTIME_COUNTING_BLOCK_H
#define ACRE_RUNTIME_COUNTING_BLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>
#include <acre/bump.h>

#include "memory/pages.h"
#include "platform/check.h"

#define ACRE_BLOCK_SIGNATURE 0x626c6f63u /* "bloc" */
#define ACRE_BLOCK_HEADER ((size_t)48)
#define ACRE_BLOCK_SLACK ((size_t)8)
/* Blocks grow from one page to this many by doubling: a region's unused memory stays below half of
 * what it holds. */
#define ACRE_BLOCK_PAGES_MAX ((size_t)4)

struct acre_block {
  uint32_t signature;
  uint32_t region;
  struct acre_allocator *allocator;
  struct acre_block *next;
  size_t pages;
  char *end;     /* of its objects; of the allocator's current block, avail says so instead */
  char *indexed; /* objects before it are in the index of starts; null: none is */
};
static_assert(sizeof(struct acre_block) <= ACRE_BLOCK_HEADER, "a block begins with its header");

struct acre_allocator {
  acre_rt_bump bump; /* the current block; first: one that is known by its bump is found from it */
  struct acre_block *blocks; /* the current block, then the others */
  struct acre_block *large;  /* blocks of one object */
  char *reusable;            /* the first of its released objects (region/given_back.h), or null */
  size_t next_pages;
  size_t objects, bytes_requested; /* in all other blocks: see acre_allocator_objects */
};

static inline size_t acre_allocator_objects(const struct acre_allocator *allocator) {
  return allocator->objects + (size_t)(allocator->bump.tally / ACRE_BUMP_ONE);
}
static inline size_t acre_allocator_bytes(const struct acre_allocator *allocator) {
  return allocator->bytes_requested + (size_t)(allocator->bump.tally % ACRE_BUMP_ONE);
}

struct acre_region_entry;

#define ACRE_BACK_MAX 0xffffu
#define ACRE_BACK_CHUNK_SHIFT 15
#define ACRE_BACK_CHUNK_SIZE ((size_t)1 << ACRE_BACK_CHUNK_SHIFT)
extern uint16_t *acre_back_chunks[(size_t)1 << (ACRE_WINDOW_SHIFT - ACRE_WINDOW_PAGE_SHIFT -
                                                ACRE_BACK_CHUNK_SHIFT)];

/* Which page of the aligned block of addresses that the window lies in. */
static inline size_t acre_back_index(uintptr_t address) {
  return (address & (((uintptr_t)1 << ACRE_WINDOW_SHIFT) - 1)) >> ACRE_WINDOW_PAGE_SHIFT;
}

/* The block of p.  Needs p to lie in a page that a region owns. */
static inline struct acre_block *acre_block_of(const void *p) {
  ACRE_ASSERT(acre_page_owner(p));
  uintptr_t start = (uintptr_t)p & ~(uintptr_t)(ACRE_WINDOW_PAGE_SIZE - 1);
  for (size_t back = ACRE_BACK_MAX; back == ACRE_BACK_MAX;
       start -= back << ACRE_WINDOW_PAGE_SHIFT) {
    size_t page = acre_back_index(start);
    back = __atomic_load_n(
        &acre_back_chunks[page >> ACRE_BACK_CHUNK_SHIFT][page & (ACRE_BACK_CHUNK_SIZE - 1)],
        __ATOMIC_RELAXED);
  }
  ACRE_ASSERT(((struct acre_block *)start)->signature == ACRE_BLOCK_SIGNATURE);
  return (struct acre_block *)start;
}

static inline size_t acre_block_bytes(const struct acre_block *block) {
  return block->pages << ACRE_WINDOW_PAGE_SHIFT;
}
static inline char *acre_block_first(const struct acre_block *block) {
  return (char *)block + ACRE_BLOCK_HEADER;
}
static inline char *acre_block_limit(const struct acre_block *block) {
  return (char *)block + acre_block_bytes(block) - ACRE_BLOCK_SLACK;
}
/* Or may it have one object only? */
static inline bool acre_block_is_of_many(const struct acre_block *block) {
  return block->pages <= ACRE_BLOCK_PAGES_MAX;
}
/* Where its objects end now. */
static inline char *acre_block_end(const struct acre_block *block) {
  return block == block->allocator->blocks ? block->allocator->bump.avail : block->end;
}

/* A block that has room for one object of need bytes with its header, among allocator's large ones;
 * null when memory is out. */
struct acre_block *acre_block_start_large(struct acre_region_entry *region,
                                          struct acre_allocator *allocator, size_t need);
/* A new current block that has room for need bytes; false when memory is out. */
bool acre_block_start(struct acre_region_entry *region, struct acre_allocator *allocator,
                      size_t need);
/* Clears more of the current block, so that limit is at least end; false if the block ends before.
 * Needs a current block. */
bool acre_block_clear_to(struct acre_allocator *allocator, const char *end);
/* Grows block in place, so that its limit is at least end; false if it cannot be.  Needs block to
 * be one of region. */
bool acre_block_extend_to(struct acre_region_entry *region, struct acre_block *block,
                          const char *end);
/* The block's pages go; it is in no list any more.  Needs its bytes to be free of records. */
void acre_block_free(struct acre_region_entry *region, struct acre_block *block);

/* Calls visit, which may free it, with each block of a region's two allocators. */
typedef void acre_block_visitor(struct acre_block *block, void *context);
static inline void acre_block_visit(struct acre_allocator *normal,
                                    struct acre_allocator *pointer_free, acre_block_visitor *visit,
                                    void *context) {
  struct acre_block *lists[] = {normal->blocks, normal->large, pointer_free->blocks,
                                pointer_free->large};
  for (size_t i = 0; i < 4; i++)
    for (struct acre_block *block = lists[i], *next; block; block = next) {
      next = block->next;
      visit(block, context);
    }
}
/* Calls visit with each block's bytes [low, high). */
void acre_block_each(struct acre_region_entry *region,
                     void (*visit)(uintptr_t low, uintptr_t high, void *context), void *context);

/* All blocks of one region become those of another; the first has none then.  What points into them
   is counted anew by the caller.  Needs the other to have none. */
void acre_block_move_all(struct acre_region_entry *from, struct acre_region_entry *to);

/* The block is sound by itself: signature, owner, ends. */
bool acre_block_check(const struct acre_block *block, uint32_t region);

#endif
