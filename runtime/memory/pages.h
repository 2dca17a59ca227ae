/* SPDX-License-Identifier: MIT */
/* pages.h - the window of region memory, and runs of pages in it.  Internal to the runtime.
 *
 * Invariant: every page of the window is in exactly one run; a run is either free, or handed out
 * and owned by one region (page map entry: the region's index) or by no region (entry 0: arenas,
 * metadata). The page map says so for every address of the window at any time, without a lock.
 */
#ifndef ACRE_RUNTIME_MEMORY_PAGES_H
#define ACRE_RUNTIME_MEMORY_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#define ACRE_WINDOW_PAGE_SIZE ((size_t)1 << ACRE_WINDOW_PAGE_SHIFT)

/* The window: half of an aligned block of 2^ACRE_WINDOW_SHIFT bytes, somewhere in it, or less where
   address space is limited.  Base, page map and count (abi.h) are set once, the count last; until
   then it is 0 and no address is in the window. */

/* The window's base: read after a count that is read with acquire, where another thread may be the
   one that sets both. */
static inline uintptr_t acre_window_base(void) {
  return __atomic_load_n(&acre_rt_window_base, __ATOMIC_RELAXED);
}

/* The page map's entry for the page of address; null outside the window.  Inline, lock-free. */
static inline acre_rt_page *acre_page_entry(uintptr_t address) {
  size_t count = __atomic_load_n(&acre_rt_window_pages, __ATOMIC_ACQUIRE);
  size_t page = (address - acre_window_base()) >> ACRE_WINDOW_PAGE_SHIFT;
  return page < count ? &acre_rt_page_map[page] : NULL;
}
/* The index of the region that owns the page of p; 0 if none or if p is outside the window. */
static inline uint32_t acre_page_owner(const void *p) {
  size_t count = __atomic_load_n(&acre_rt_window_pages, __ATOMIC_ACQUIRE);
  size_t page = ((uintptr_t)p - acre_window_base()) >> ACRE_WINDOW_PAGE_SHIFT;
  return page < count ? __atomic_load_n(&acre_rt_page_map[page].owner, __ATOMIC_RELAXED) : 0;
}
/* Whether p may be in a region: quicker, and never wrong about no. */
static inline bool acre_may_be_in_window(const void *p) {
  return (uintptr_t)p >> ACRE_WINDOW_SHIFT ==
         __atomic_load_n(&acre_rt_window_tag, __ATOMIC_RELAXED);
}

/* The page map says from now on that slots on the page of address may have records, or that they
   have none.  Nothing to do outside the window. */
static inline void acre_page_set_recorded(uintptr_t address, bool is_recorded) {
  acre_rt_page *entry = acre_page_entry(address);
  if (!entry)
    return;
  uint32_t unrecorded =
      is_recorded ? ACRE_PAGE_RECORDED : __atomic_load_n(&entry->owner, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->unrecorded, unrecorded, __ATOMIC_RELAXED);
}
/* Whether the page map says that slots on the page of address may have records.  True outside the
 * window. */
static inline bool acre_page_is_recorded(uintptr_t address) {
  const acre_rt_page *entry = acre_page_entry(address);
  return !entry || __atomic_load_n(&entry->unrecorded, __ATOMIC_RELAXED) == ACRE_PAGE_RECORDED;
}

/* Registers the fork handlers of this module, once: a module whose lock is held while it calls this
   one registers its own after this call, so that fork takes the locks in the same order. */
void acre_pages_prepare_for_forks(void);
/* Reserves the window if that has not been done; every call below does it too.  False when
 * there is no address space at all. */
bool acre_pages_start(void);

/* All addresses: what stands for the object of an address that is in none. */
#define ACRE_RANGE_OF_ALL ((acre_rt_range){NULL, (const char *)UINTPTR_MAX})
/* Adds [start, start + size) to acre_rt_bounded. */
void acre_pages_bound(const void *start, size_t size);

/* A run of count pages owned by owner (0: no region), zero-filled.  Null when memory is out.  O(1)
 * plus the zeroing. */
void *acre_pages_alloc(size_t count, uint32_t owner);
/* Grows a run in place by more zero-filled pages, when the pages after it are free. */
bool acre_pages_extend(void *run, size_t count, size_t more, uint32_t owner);
/* As the two above with unspecified contents, for callers that clear what they need.  *is_zero, if
   is_zero is not null, becomes whether all pages are zero as they are. */
void *acre_pages_alloc_unzeroed(size_t count, uint32_t owner, bool *is_zero);
bool acre_pages_extend_unzeroed(void *run, size_t count, size_t more, uint32_t owner);
/* The count pages at run, all of a run or a part, belong to owner from now on.  Slots there may
   have records. */
void acre_pages_change_owner(void *run, size_t count, uint32_t owner);
/* Gives the pages of a run after the first fewer (1 or more) back. */
void acre_pages_shrink(void *run, size_t count, size_t fewer);
/* Gives a run back.  Its contents are gone; page map entries become 0.  Aborts if count pages at
 * run are no run. */
void acre_pages_free(void *run, size_t count);
/* Returns free pages to the system; keep: bytes that may stay resident.  Returns bytes returned. */
size_t acre_pages_trim(size_t keep);
/* Bytes of pages handed out now, and the most there ever were. */
size_t acre_pages_in_use(void);
size_t acre_pages_peak(void);
/* Bytes of free pages that are still backed by memory: the cache, bounded by
 * ACRE_PAGES_CACHE_LIMIT. */
#define ACRE_PAGES_CACHE_LIMIT ((size_t)32 << 20)
size_t acre_pages_cached(void);
/* Walks the free lists and the page map and checks the invariant; false with a message on stderr if
 * it fails. */
bool acre_pages_check(void);

#endif
