/* SPDX-License-Identifier: MIT */
/* block.c - see block.h. */
#include "counting/block.h"

#include <string.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "platform/check.h"
#include "platform/os.h"

/* A block of pages used before is cleared by as many bytes as are in use already, between these.
   More at a time would not be faster: C libraries have other ways to clear more than about 2 KiB,
   which take longer to start. */
#define CLEAR_MIN ((size_t)512)
#define CLEAR_MAX ((size_t)2048)

uint16_t *acre_back_chunks[(size_t)1
                           << (ACRE_WINDOW_SHIFT - ACRE_WINDOW_PAGE_SHIFT - ACRE_BACK_CHUNK_SHIFT)];

/* -- Pages ------------------------------------------------------------------------------------- */

/* Says of pages [first, count) of the block at start where it begins.  False when memory is out. */
static bool mark_pages(const char *start, size_t first, size_t count) {
  for (size_t i = first; i < count; i++) {
    size_t page = acre_back_index((uintptr_t)start) + i;
    uint16_t **link = &acre_back_chunks[page >> ACRE_BACK_CHUNK_SHIFT];
    uint16_t *chunk = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    if (!chunk) {
      uint16_t *fresh = acre_os_table(ACRE_BACK_CHUNK_SIZE * sizeof *fresh);
      if (!fresh)
        return false;
      if (__atomic_compare_exchange_n(link, &chunk, fresh, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        chunk = fresh;
      else
        acre_os_unreserve(fresh, ACRE_BACK_CHUNK_SIZE * sizeof *fresh);
    }
    __atomic_store_n(&chunk[page & (ACRE_BACK_CHUNK_SIZE - 1)],
                     (uint16_t)(i < ACRE_BACK_MAX ? i : ACRE_BACK_MAX), __ATOMIC_RELAXED);
  }
  return true;
}

/* Makes the run of pages at start a block; null, and the pages go back, when memory is out. */
static struct acre_block *make(struct acre_region_entry *region, struct acre_allocator *allocator,
                               void *start, size_t pages) {
  if (!mark_pages(start, 0, pages)) {
    acre_pages_free(start, pages);
    return NULL;
  }
  struct acre_block *block = start;
  *block =
      (struct acre_block){ACRE_BLOCK_SIGNATURE, region->index, allocator, NULL, pages, NULL, NULL};
  region->pages += pages;
  return block;
}

void acre_block_free(struct acre_region_entry *region, struct acre_block *block) {
  ACRE_ASSERT(acre_block_check(block, region->index));
  ACRE_ASSERT(!acre_record_any((uintptr_t)block, (uintptr_t)block + acre_block_bytes(block)) &&
              "no record outlives its memory");
  region->pages -= block->pages;
  block->signature = 0;
  acre_pages_free(block, block->pages);
}

/* -- Room -------------------------------------------------------------------------------------- */

struct acre_block *acre_block_start_large(struct acre_region_entry *region,
                                          struct acre_allocator *allocator, size_t need) {
  size_t bytes = ACRE_BLOCK_HEADER + need + ACRE_BLOCK_SLACK;
  size_t pages = (bytes + ACRE_WINDOW_PAGE_SIZE - 1) >> ACRE_WINDOW_PAGE_SHIFT;
  void *run = acre_pages_alloc(pages, region->index);
  struct acre_block *block = run ? make(region, allocator, run, pages) : NULL;
  if (!block)
    return NULL;
  block->next = allocator->large;
  allocator->large = block;
  return block;
}

bool acre_block_start(struct acre_region_entry *region, struct acre_allocator *allocator,
                      size_t need) {
  size_t pages = allocator->next_pages ? allocator->next_pages : 1;
  while (ACRE_BLOCK_HEADER + need + ACRE_BLOCK_SLACK > pages << ACRE_WINDOW_PAGE_SHIFT)
    pages *= 2;
  bool is_zero;
  void *run = acre_pages_alloc_unzeroed(pages, region->index, &is_zero);
  struct acre_block *block = run ? make(region, allocator, run, pages) : NULL;
  if (!block)
    return false;
  if (allocator->blocks)
    allocator->blocks->end = allocator->bump.avail;
  block->next = allocator->blocks;
  allocator->blocks = block;
  allocator->objects = acre_allocator_objects(allocator);
  allocator->bytes_requested = acre_allocator_bytes(allocator);
  char *first = acre_block_first(block);
  allocator->bump =
      (acre_rt_bump){.avail = first, .limit = is_zero ? acre_block_limit(block) : first};
  allocator->next_pages = pages * 2 < ACRE_BLOCK_PAGES_MAX ? pages * 2 : ACRE_BLOCK_PAGES_MAX;
  return true;
}

/* A block that is little used is cleared little, and what is cleared is still in the cache when
   objects come to lie there. */
bool acre_block_clear_to(struct acre_allocator *allocator, const char *end) {
  struct acre_block *block = allocator->blocks;
  char *limit = allocator->bump.limit;
  ACRE_ASSERT(block && acre_block_first(block) <= limit && limit <= acre_block_limit(block));
  if (end <= limit)
    return true;
  if (end > acre_block_limit(block))
    return false;
  size_t used = (size_t)(limit - (char *)block), needed = (size_t)(end - limit);
  size_t rest = (size_t)(acre_block_limit(block) - limit);
  size_t step = used < CLEAR_MIN ? CLEAR_MIN : used < CLEAR_MAX ? used : CLEAR_MAX;
  step = step < needed ? needed : step;
  step = step < rest ? step : rest;
  allocator->bump.limit = limit + step;
  for (; step > CLEAR_MAX; step -= CLEAR_MAX, limit += CLEAR_MAX)
    memset(limit, 0, CLEAR_MAX);
  memset(limit, 0, step);
  return true;
}

bool acre_block_extend_to(struct acre_region_entry *region, struct acre_block *block,
                          const char *end) {
  ACRE_ASSERT(block->region == region->index);
  if (end <= acre_block_limit(block))
    return true;
  size_t more = ((size_t)(end - acre_block_limit(block)) + ACRE_WINDOW_PAGE_SIZE - 1) >>
                ACRE_WINDOW_PAGE_SHIFT;
  if (!acre_pages_extend(block, block->pages, more, region->index))
    return false;
  if (!mark_pages((char *)block, block->pages, block->pages + more)) {
    acre_pages_shrink(block, block->pages + more, block->pages);
    return false;
  }
  block->pages += more;
  region->pages += more;
  return true;
}

/* -- Walks ------------------------------------------------------------------------------------- */

struct byte_visit {
  void (*function)(uintptr_t low, uintptr_t high, void *context);
  void *context;
};

static void visit_bytes(struct acre_block *block, void *context) {
  const struct byte_visit *visit = context;
  visit->function((uintptr_t)block, (uintptr_t)block + acre_block_bytes(block), visit->context);
}

void acre_block_each(struct acre_region_entry *region,
                     void (*function)(uintptr_t, uintptr_t, void *), void *context) {
  struct byte_visit visit = {function, context};
  acre_block_visit(&region->normal, &region->pointer_free, visit_bytes, &visit);
}

static void give_block(struct acre_block *block, void *context) {
  struct acre_region_entry *to = context;
  block->allocator = block->allocator == &acre_registry_at(block->region)->normal
                         ? &to->normal
                         : &to->pointer_free;
  block->region = to->index;
  acre_pages_change_owner(block, block->pages, to->index);
}

void acre_block_move_all(struct acre_region_entry *from, struct acre_region_entry *to) {
  ACRE_ASSERT(to->pages == 0);
  acre_block_visit(&from->normal, &from->pointer_free, give_block, to);
  to->normal = from->normal;
  to->pointer_free = from->pointer_free;
  to->pages = from->pages;
  from->normal = from->pointer_free = (struct acre_allocator){0};
  from->pages = 0;
}

bool acre_block_check(const struct acre_block *block, uint32_t region) {
  const char *end = acre_block_end(block);
  return block->signature == ACRE_BLOCK_SIGNATURE && block->region == region &&
         acre_page_owner(block) == region && end >= acre_block_first(block) &&
         end <= acre_block_limit(block) && acre_page_owner(acre_block_limit(block)) == region;
}
