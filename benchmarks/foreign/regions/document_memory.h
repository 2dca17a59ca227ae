/* SPDX-License-Identifier: MIT */
/* document_memory.h - the allocator of a document of HTML Tidy is a region, which is deleted with
 * the document.
 *
 * An allocator without a region, as that of the program itself, is as it was.  In a region nothing
 * is given back by itself.
 */
#ifndef DOCUMENT_MEMORY_H
#define DOCUMENT_MEMORY_H

#include <acre/acre.h>

static inline TidyAllocator *new_document_memory(const TidyAllocator *like) {
  region memory = newregion();
  TidyAllocator *allocator = ralloc(memory, TidyAllocator);
  allocator->vtbl = like->vtbl;
  allocator->memory = memory;
  return allocator;
}

static inline void *document_alloc(TidyAllocator *allocator, size_t size, const acre_site *site) {
  if (!allocator->memory)
    return allocator->vtbl->alloc(allocator, size);
  return acre_region_alloc(allocator->memory, size, 8, site);
}

static inline char *document_text(TidyAllocator *allocator, size_t size) {
  if (!allocator->memory)
    return allocator->vtbl->alloc(allocator, size);
  return rstralloc(allocator->memory, size);
}

static inline void *document_realloc(TidyAllocator *allocator, void *block, size_t size) {
  if (!allocator->memory)
    return allocator->vtbl->realloc(allocator, block, size);
  return rstrextend(allocator->memory, block, size);
}

static inline void document_free(TidyAllocator *allocator, void *block) {
  if (!allocator->memory)
    allocator->vtbl->free(allocator, block);
}

#endif
