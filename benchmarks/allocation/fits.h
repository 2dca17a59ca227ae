/* SPDX-License-Identifier: MIT */
/* fits.h - the two allocators that Hanson compares arenas with, from the descriptions in his paper.
 *
 * First fit: free blocks in one list, ordered by address; a request takes the end of the first
 * block that is large enough; a block that is released is joined with its free neighbours, for
 * which the list is searched.
 *
 * Quick fit: a list of free objects for each small size, filled from and in front of first fit.
 *
 * Objects are aligned to 16 bytes.  The memory is fixed: what does not fit ends the program.
 */
#ifndef FITS_H
#define FITS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FIT_MEMORY ((size_t)1 << 22)
#define FIT_ALIGN ((size_t)16)
#define QUICK_MAX ((size_t)256) /* n in the paper */

/* A block begins with its size; while it is free, the list goes through it. */
struct fit_block {
  size_t size; /* in bytes, of all of the block */
  struct fit_block *next;
};

static _Alignas(16) char fit_memory[FIT_MEMORY];
static struct fit_block *fit_free;

static void fit_start(void) {
  fit_free = (struct fit_block *)fit_memory;
  *fit_free = (struct fit_block){FIT_MEMORY, NULL};
}

static void *fit_allocate(size_t size) {
  size_t needed = (size + FIT_ALIGN + FIT_ALIGN - 1) & ~(FIT_ALIGN - 1);
  for (struct fit_block **link = &fit_free, *block; (block = *link); link = &block->next) {
    if (block->size < needed)
      continue;
    if (block->size == needed) {
      *link = block->next;
    } else {
      block->size -= needed;
      block = (struct fit_block *)((char *)block + block->size);
      block->size = needed;
    }
    return (char *)block + FIT_ALIGN;
  }
  abort();
}

static struct fit_block *fit_end(struct fit_block *block) {
  return (struct fit_block *)((char *)block + block->size);
}

static void fit_release(void *object) {
  struct fit_block *block = (struct fit_block *)((char *)object - FIT_ALIGN), *before = NULL,
                   *after = fit_free;
  for (; after && after < block; after = after->next)
    before = after;
  if (after && fit_end(block) == after) {
    block->size += after->size;
    after = after->next;
  }
  block->next = after;
  if (!before) {
    fit_free = block;
  } else if (fit_end(before) == block) {
    before->size += block->size;
    before->next = block->next;
  } else {
    before->next = block;
  }
}

struct quick_object {
  struct quick_object *link;
};
static struct quick_object *quick_lists[QUICK_MAX / FIT_ALIGN + 1];

static inline void *quick_allocate(size_t size) {
  if (size <= QUICK_MAX) {
    struct quick_object **list = &quick_lists[(size + FIT_ALIGN - 1) / FIT_ALIGN], *object = *list;
    if (object) {
      *list = object->link;
      return object;
    }
  }
  return fit_allocate(size);
}

static inline void quick_release(void *p, size_t size) {
  if (size > QUICK_MAX) {
    fit_release(p);
    return;
  }
  struct quick_object **list = &quick_lists[(size + FIT_ALIGN - 1) / FIT_ALIGN], *object = p;
  object->link = *list;
  *list = object;
}

#endif
