/* pages.h - the window of region memory, and runs of pages in it.  Internal to the runtime.
 *
 * Invariant: every page of the window is in exactly one run; a run is either free, or handed out and owned by
 * one region (page map entry: the region's index) or by no region (entry 0: arenas, metadata).
 * The page map says so for every address of the window at any time, without a lock.
 */
#ifndef ACRE_RUNTIME_PAGES_H
#define ACRE_RUNTIME_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#define ACRE_PAGE_SHIFT 13
#define ACRE_PAGE_SIZE ((size_t)1 << ACRE_PAGE_SHIFT)

/* Region index of each page of the 2^40-byte window; read through acre_page_owner. */
extern uint32_t *acre_page_map;

/* The index of the region that owns the page of p; 0 if none or if p is outside the window.  Inline, lock-free. */
static inline uint32_t acre_page_owner(const void *p) {
  uintptr_t address = (uintptr_t)p;
  if (address >> ACRE_WINDOW_SHIFT != acre_rt_window_tag)
    return 0;
  return __atomic_load_n(
      &acre_page_map[(address & (((uintptr_t)1 << ACRE_WINDOW_SHIFT) - 1)) >> ACRE_PAGE_SHIFT], __ATOMIC_RELAXED);
}

/* A run of count pages owned by owner (0: no region), zero-filled.  Null when memory is out. */
void *acre_pages_alloc(size_t count, uint32_t owner);
/* Grows a run in place by more zero-filled pages, when the pages after it are free. */
bool acre_pages_extend(void *run, size_t count, size_t more, uint32_t owner);
/* Gives a run back.  Its contents are gone; page map entries become 0. */
void acre_pages_free(void *run, size_t count);
/* Returns free pages to the system; keep: bytes that may stay resident.  Returns bytes returned. */
size_t acre_pages_trim(size_t keep);
/* Bytes of pages handed out now, and the most there ever were. */
size_t acre_pages_in_use(void);
size_t acre_pages_peak(void);
/* Walks the free lists and the page map and checks the invariant; false with a message on stderr if it fails. */
bool acre_pages_check(void);

#endif
