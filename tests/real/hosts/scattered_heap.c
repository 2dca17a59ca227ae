/* scattered_heap.c - the memory of an unmodified program, block by block from one of several
 * regions in turn.
 *
 * So nearly each pointer in its memory is external, and must have a record.  Every
 * ACRE_SCATTERED_EVERY allocations and at the end all words of the regions are looked at: one that
 * points into another region and has no record ends the program. Unlike the verifier this knows no
 * types, and takes integers that look like pointers for uncounted ones: for programs that keep
 * none.  Freed blocks are cleared and not used again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acre/acre.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "memory/pages.h"

#define REGIONS 8
#define BLOCK_ALIGN 16
#define WORDS_SHOWN 10
#define EVERY_DEFAULT 100000

struct block {
  size_t size;
  _Alignas(BLOCK_ALIGN) char bytes[];
};

static region regions[REGIONS];
static size_t allocations, every;

static struct block *block_of(void *p) {
  return (struct block *)((char *)p - offsetof(struct block, bytes));
}

static bool is_ours(uint32_t index) {
  const struct acre_region_entry *region = acre_registry_at(index);
  for (size_t i = 0; i < REGIONS; i++)
    if (regions[i] == acre_handle_of(region))
      return true;
  return false;
}

/* The words of a page that are pointers into another region and have no record. */
static size_t uncounted_words(const uintptr_t *page) {
  size_t found = 0;
  for (size_t i = 0; i < ((size_t)1 << ACRE_WINDOW_PAGE_SHIFT) / sizeof *page; i++) {
    uintptr_t start;
    uint32_t target = acre_counted_target(&page[i], (const void *)page[i]);
    if (!target || acre_record_get((uintptr_t)&page[i], &start) == target)
      continue;
    if (found++ < WORDS_SHOWN)
      fprintf(stderr, "scattered heap: %p holds %p, not counted\n", (void *)&page[i],
              (void *)page[i]);
  }
  return found;
}

static void check(void) {
  size_t found = 0;
  for (size_t page = 0; page < acre_rt_window_pages; page++)
    if (is_ours(acre_rt_page_map[page].owner))
      found += uncounted_words(
          (const uintptr_t *)(acre_rt_window_base + (page << ACRE_WINDOW_PAGE_SHIFT)));
  if (!found && acre_verify())
    return;
  fprintf(stderr, "scattered heap: %zu words not counted after %zu allocations\n", found,
          allocations);
  abort();
}

static void start(void) {
  const char *said = getenv("ACRE_SCATTERED_EVERY");
  every = said ? strtoul(said, NULL, 10) : EVERY_DEFAULT;
  for (size_t i = 0; i < REGIONS; i++)
    regions[i] = newregion();
  atexit(check);
}

void *scattered_malloc(size_t size) {
  if (!regions[0])
    start();
  if (++allocations % every == 0)
    check();
  struct block *block = acre_region_alloc(regions[(allocations * 7 + allocations / 32) % REGIONS],
                                          sizeof *block + size + 1, BLOCK_ALIGN, NULL);
  block->size = size;
  return block->bytes;
}

void *scattered_calloc(size_t count, size_t size) { return scattered_malloc(count * size); }

/* A library's own memory comes here too. */
void scattered_free(void *p) {
  if (!p || regionof(p) == traditional_region)
    free(p);
  else
    memset(p, 0, block_of(p)->size);
}

void *scattered_realloc(void *old, size_t size) {
  if (old && regionof(old) == traditional_region)
    return realloc(old, size);
  void *new = scattered_malloc(size);
  if (old) {
    size_t old_size = block_of(old)->size;
    memcpy(new, old, old_size < size ? old_size : size);
    scattered_free(old);
  }
  return new;
}

char *scattered_strndup(const char *text, size_t length) {
  length = strnlen(text, length);
  return memcpy(scattered_malloc(length + 1), text, length);
}

char *scattered_strdup(const char *text) { return scattered_strndup(text, strlen(text)); }
