/* SPDX-License-Identifier: MIT */
/* stopped.c - see stopped.h. */
#include "counting/stopped.h"

#include "gc/linux/stop_world.h"
#include "memory/pages.h"
#include "platform/check.h"

static bool is_of(const struct acre_region_entry *region, const struct acre_allocator *allocator) {
  return allocator == &region->normal || allocator == &region->pointer_free;
}

static bool is_whole(const struct acre_block *block, const struct acre_region_entry *region) {
  return block && (uintptr_t)block % ACRE_WINDOW_PAGE_SIZE == 0 &&
         acre_page_owner(block) == region->index && is_of(region, block->allocator) &&
         acre_block_check(block, region->index);
}

static void each_of_list(const struct acre_block *block, const struct acre_region_entry *region,
                         acre_stopped_visitor *visit, void *context) {
  for (; is_whole(block, region); block = block->next) {
    const bool is_pointer_free = block->allocator == &region->pointer_free;
    const char *end = acre_block_end(block);
    for (struct acre_object object = acre_object_next(acre_block_first(block), end); object.size;
         object = acre_object_next(acre_object_end(&object), end))
      visit(&object, is_pointer_free, context);
  }
}

void acre_stopped_each(const struct acre_region_entry *region, acre_stopped_visitor *visit,
                       void *context) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  const struct acre_block *const lists[] = {region->normal.blocks, region->normal.large,
                                            region->pointer_free.blocks,
                                            region->pointer_free.large};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    each_of_list(lists[i], region, visit, context);
}

/* Puts the cursor before the first object of the block of p. */
static bool enter(struct acre_stopped_cursor *cursor, const char *p) {
  const struct acre_region_entry *region = acre_registry_at(acre_page_owner(p));
  const struct acre_block *block = acre_block_of(p);
  if (!is_whole(block, region))
    return false;
  cursor->block = block;
  cursor->end = acre_block_end(block);
  cursor->is_pointer_free = block->allocator == &region->pointer_free;
  cursor->object = acre_object_next(acre_block_first(block), cursor->end);
  return true;
}

static bool is_in_block(const struct acre_block *block, const char *p) {
  return block && (size_t)(p - (const char *)block) < acre_block_bytes(block);
}

bool acre_stopped_seek(struct acre_stopped_cursor *cursor, const char *p) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  if (!acre_page_owner(p))
    return false;
  const bool is_ahead =
      is_in_block(cursor->block, p) && cursor->object.size != 0 && p >= cursor->object.start;
  if (!is_ahead && !enter(cursor, p)) {
    cursor->block = NULL;
    return false;
  }
  while (cursor->object.size != 0 && p >= acre_object_end(&cursor->object))
    cursor->object = acre_object_next(acre_object_end(&cursor->object), cursor->end);
  return cursor->object.size != 0 && p >= cursor->object.start;
}
