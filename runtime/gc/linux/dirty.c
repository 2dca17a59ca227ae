/* SPDX-License-Identifier: MIT */
/* dirty.c - see dirty.h.
 *
 * Invariant: a page of the system is protected only by acre_gc_dirty_written, which says at once,
 * in one step of the kernel, whether it had been written; pages outside the heap by
 * acre_gc_dirty_outside.  If the program closes the descriptor that keeps the watch alive, or
 * forks, the kernel refuses the next question, because it asks for pages that are watched.
 */
#define _GNU_SOURCE
#include "gc/linux/dirty.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gc/linux/stop_world.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/procfs.h"
#include "platform/sanitizer.h"

/* From the kernel's interface, which is newer than the headers of most systems. */
#define FD_USER_MODE_ONLY 1
#define FD_API UINT64_C(0xAA)
#define FD_FEATURE_WP_ASYNC (UINT64_C(1) << 15)
#define FD_REGISTER_WP (UINT64_C(1) << 1)
#define PAGE_WRITTEN (UINT64_C(1) << 1)
#define PAGE_OF_FILE (UINT64_C(1) << 2)
#define PAGE_IN_MEMORY (UINT64_C(1) << 3)
#define PAGE_SWAPPED (UINT64_C(1) << 4)
#define PAGE_OF_ZEROS (UINT64_C(1) << 5) /* the system's one for all that were only read */
#define SCAN_PROTECT (UINT64_C(1) << 0)
#define SCAN_ONLY_WATCHED (UINT64_C(1) << 1)

typedef struct fd_api {
  uint64_t api, features, ioctls;
} fd_api;
typedef struct fd_register {
  uint64_t start, size, mode, ioctls;
} fd_register;
typedef struct fd_writeprotect {
  uint64_t start, size, mode; /* mode 0: not protected */
} fd_writeprotect;
typedef struct scan_region {
  uint64_t start, end, categories;
} scan_region;
typedef struct scan_request {
  uint64_t size, flags, start, end, walk_end, regions, region_count, most_pages;
  uint64_t inverted, all_of, any_of, returned;
} scan_request;

#define FD_IOCTL_API _IOWR(0xAA, 0x3F, fd_api)
#define FD_IOCTL_REGISTER _IOWR(0xAA, 0x00, fd_register)
#define FD_IOCTL_WRITEPROTECT _IOWR(0xAA, 0x06, fd_writeprotect)
#define PAGEMAP_IOCTL_SCAN _IOWR('f', 16, scan_request)

#define REGIONS 128

/* -- The watch --------------------------------------------------------------------------------- */

static int open_watch(void) {
#ifdef SYS_userfaultfd
  return acre_procfs_raise(
      (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | FD_USER_MODE_ONLY));
#else
  return -1;
#endif
}

bool acre_gc_dirty_watch(const heap *h, uintptr_t start, uintptr_t end) {
  fd_register part = {.start = start, .size = end - start, .mode = FD_REGISTER_WP};
  return ioctl(h->watch.descriptor, FD_IOCTL_REGISTER, &part) == 0;
}

bool acre_gc_dirty_is_open(const heap *h) {
  return acre_procfs_is_still(h->watch.descriptor, &h->watch.file);
}

static bool watch(heap *h) {
  fd_api api = {.api = FD_API, .features = FD_FEATURE_WP_ASYNC};
  if (ioctl(h->watch.descriptor, FD_IOCTL_API, &api) != 0 ||
      !acre_procfs_identify(h->watch.descriptor, &h->watch.file))
    return false;
  return acre_gc_dirty_watch(h, (uintptr_t)h->space.base,
                             (uintptr_t)h->space.base + h->space.bytes);
}

/* What is asked for begins where a page of the heap does. */
bool acre_gc_dirty_may_ask(void) {
  return !RUNNING_ON_VALGRIND && (size_t)sysconf(_SC_PAGESIZE) <= ACRE_PAGE_SIZE;
}

bool acre_gc_dirty_start(heap *h) {
  int saved_errno = errno;
  h->watch.descriptor = acre_gc_dirty_may_ask() ? open_watch() : -1;
  h->watch.is_tracked = h->watch.descriptor >= 0 && watch(h);
  /* One page in advance: it shows whether the scan is there. */
  if (h->watch.is_tracked)
    h->watch.is_tracked =
        acre_gc_dirty_written(h, (uintptr_t)h->space.base,
                              (uintptr_t)h->space.base + ACRE_PAGE_SIZE, 0, NULL) != 0;
  acre_gc_dirty_close(h);
  if (!h->watch.is_tracked && h->watch.descriptor >= 0)
    close(h->watch.descriptor);
  errno = saved_errno;
  return h->watch.is_tracked;
}

void acre_gc_dirty_forget(heap *h) {
  int saved_errno = errno;
  if (h->watch.is_tracked && acre_gc_dirty_is_open(h))
    close(h->watch.descriptor);
  h->watch.is_tracked = h->watch.is_protected = false;
  errno = saved_errno;
}

/* -- Questions --------------------------------------------------------------------------------- */

int acre_gc_dirty_pagemap(heap *h) {
  if (h->watch.pagemap < 0)
    h->watch.pagemap = acre_procfs_open(FILE_PAGEMAP);
  return h->watch.pagemap;
}

void acre_gc_dirty_close(heap *h) {
  if (h->watch.pagemap < 0)
    return;
  int saved_errno = errno;
  acre_procfs_close(FILE_PAGEMAP, h->watch.pagemap);
  h->watch.pagemap = -1;
  errno = saved_errno;
}

static scan_request written_of(uintptr_t start, uintptr_t end, scan_region *regions, size_t count) {
  return (scan_request){.size = sizeof(scan_request),
                        .flags = SCAN_ONLY_WATCHED,
                        .start = start,
                        .end = end,
                        .regions = (uintptr_t)regions,
                        .region_count = count,
                        .all_of = PAGE_WRITTEN,
                        .returned = PAGE_WRITTEN};
}

/* The same request, for pages only that may have anything but zeros. */
static scan_request filled(scan_request r) {
  r.all_of |= PAGE_OF_ZEROS;
  r.inverted = PAGE_OF_ZEROS;
  r.any_of = PAGE_IN_MEMORY | PAGE_SWAPPED;
  return r;
}

static scan_request filled_of(uintptr_t start, uintptr_t end, scan_region *regions, size_t count) {
  scan_request r = filled(written_of(start, end, regions, count));
  r.flags = 0;
  r.all_of = PAGE_OF_ZEROS;
  r.returned = PAGE_IN_MEMORY;
  return r;
}

/* Returns where the walk ended; 0 if it failed. */
static uintptr_t ask(heap *h, scan_request r, acre_gc_dirty_visit *visit) {
  const scan_region *regions = (const scan_region *)(uintptr_t)r.regions;
  int saved_errno = errno, pagemap = acre_gc_dirty_pagemap(h);
  uintptr_t at = pagemap < 0 ? 0 : r.start;
  while (at && at < r.end) {
    r.start = at;
    int count = ioctl(pagemap, PAGEMAP_IOCTL_SCAN, &r);
    at = count < 0 || r.walk_end <= at ? 0 : r.walk_end;
    for (int i = 0; i < count && visit; i++)
      visit(h, regions[i].start, regions[i].end);
    if (r.most_pages)
      break;
  }
  errno = saved_errno;
  return at;
}

uintptr_t acre_gc_dirty_written(heap *h, uintptr_t start, uintptr_t end, size_t most,
                                acre_gc_dirty_visit *visit) {
  ACRE_ASSERT(h->watch.is_tracked && start < end);
  scan_region regions[REGIONS];
  scan_request r = written_of(start, end, regions, REGIONS);
  r.flags |= SCAN_PROTECT;
  r.most_pages = most;
  return ask(h, is_list_page(h, page_index(h, (const void *)start)) ? r : filled(r), visit);
}

uintptr_t acre_gc_dirty_look(heap *h, uintptr_t start, uintptr_t end, acre_gc_dirty_visit *visit) {
  ACRE_ASSERT(acre_gc_world_is_stopped());
  scan_region regions[REGIONS];
  return ask(h, written_of(start, end, regions, REGIONS), visit);
}

bool acre_gc_dirty_filled(heap *h, uintptr_t start, uintptr_t end, acre_gc_dirty_visit *visit) {
  scan_region regions[REGIONS];
  return ask(h, filled_of(start, end, regions, REGIONS), visit) != 0;
}

bool acre_gc_dirty_next_filled(heap *h, uintptr_t *start, uintptr_t *end) {
  scan_region region = {*end, *end, 0};
  scan_request r = filled_of(*start, *end, &region, 1);
  int saved_errno = errno, pagemap = acre_gc_dirty_pagemap(h);
  bool is_known = pagemap >= 0 && ioctl(pagemap, PAGEMAP_IOCTL_SCAN, &r) >= 0;
  errno = saved_errno;
  *start = is_known ? region.start : *start;
  *end = is_known ? region.end : *end;
  return is_known;
}

bool acre_gc_dirty_release(const heap *h, uintptr_t start, uintptr_t end) {
  int saved_errno = errno;
  fd_writeprotect part = {.start = start, .size = end - start};
  bool is_released =
      acre_gc_dirty_is_open(h) && ioctl(h->watch.descriptor, FD_IOCTL_WRITEPROTECT, &part) == 0;
  errno = saved_errno;
  return is_released;
}

bool acre_gc_dirty_is_written(const void *address) {
  size_t system_page = (size_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)address & ~(system_page - 1);
  scan_region region;
  scan_request r = written_of(start, start + system_page, &region, 1);
  int saved_errno = errno, pagemap = acre_procfs_open(FILE_PAGEMAP);
  bool is_written = pagemap < 0 || ioctl(pagemap, PAGEMAP_IOCTL_SCAN, &r) != 0;
  acre_procfs_close(FILE_PAGEMAP, pagemap);
  errno = saved_errno;
  return is_written;
}

bool acre_gc_dirty_outside_written(const acre_gc_dirty_question *q,
                                   acre_gc_dirty_outside_visit *visit, void *context) {
  scan_region regions[REGIONS];
  for (scan_request r = written_of(q->start, q->end, regions, REGIONS); r.start < q->end;
       r.start = r.walk_end) {
    int count = ioctl(q->pagemap, PAGEMAP_IOCTL_SCAN, &r);
    if (count < 0 || r.walk_end <= r.start)
      return false;
    for (int i = 0; i < count; i++) {
      acre_gc_dirty_question part = *q;
      part.start = regions[i].start;
      part.end = regions[i].end;
      if (!acre_gc_dirty_outside(&part, visit, context))
        return false;
    }
  }
  return true;
}

uintptr_t acre_gc_dirty_outside(const acre_gc_dirty_question *q, acre_gc_dirty_outside_visit *visit,
                                void *context) {
  scan_region regions[REGIONS];
  /* Asked for of every page, this takes several times as long. */
  uint64_t of_file = q->may_be_of_file ? PAGE_OF_FILE : 0,
           all_of = of_file | (q->only_written ? PAGE_WRITTEN : 0);
  uint64_t flags = SCAN_ONLY_WATCHED | (q->protects ? SCAN_PROTECT : 0);
  scan_request r = {.size = sizeof r,
                    .flags = flags,
                    .start = q->start,
                    .end = q->end,
                    .regions = (uintptr_t)regions,
                    .region_count = REGIONS,
                    .most_pages = q->most,
                    .inverted = of_file,
                    .all_of = all_of,
                    .any_of = PAGE_IN_MEMORY | PAGE_SWAPPED,
                    .returned = PAGE_IN_MEMORY | PAGE_SWAPPED};
  do {
    int count = ioctl(q->pagemap, PAGEMAP_IOCTL_SCAN, &r);
    if (count < 0 || r.walk_end <= r.start)
      return 0;
    for (int i = 0; i < count; i++)
      visit(context, regions[i].start, regions[i].end, regions[i].categories & PAGE_SWAPPED);
    r.start = r.walk_end;
  } while (!q->most && r.start < q->end);
  return r.start;
}
