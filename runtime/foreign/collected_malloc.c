/* SPDX-License-Identifier: MIT */
/* collected_malloc.c - the functions of <stdlib.h> and their kin in the collected heap of the
 * process.
 *
 * Memory of another malloc is passed on to the interceptors of the counted world
 * (intercept_memory.c), and so to the C library.
 */
#define _GNU_SOURCE
#include <acre/abi.h>
#include <acre/collected.h>

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "counting/record.h"
#include "counting/store.h"
#include "foreign/freed_report.h"
#include "foreign/misuse.h"
#include "gc/cycle/allocate.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/resize.h"
#include "gc/cycle/thread_cache.h"
#include "gc/heap/cell.h"
#include "gc/process/pins.h"
#include "gc/process/process.h"
#include "memory/descriptor.h"
#include "memory/pages.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/thread.h"

#define MALLOC_ALIGN 16

/* -- Objects ----------------------------------------------------------------------------------- */

/* The caller sets the first `set` bytes, which need not be cleared where that takes time.  What
 * malloc returns is cleared: a pointer that an earlier object left there may be to what is used
 * again, and a program that reads what it never set would follow it. */
static __attribute__((noinline)) void *allocate_with_lock(size_t size, size_t align,
                                                          const acre_site *site, size_t set) {
  acre_gc_use use = acre_gc_process_enter();
  void *p = NULL;
  size_t uncleared = 0;
  /* A site without a type says nothing of the object but where it was allocated. */
  if (site && !site->type && !acre_freed_is_reported(use.heap))
    site = NULL;
  if (align == MALLOC_ALIGN && acre_gc_cache_fill(use.heap, size))
    p = acre_gc_cache_take_slowly(size, site, set);
  else if (size <= PTRDIFF_MAX && acre_freed_is_reported(use.heap))
    p = acre_heap_try_alloc(&use.heap->head, size, align, site);
  else if (size <= PTRDIFF_MAX)
    p = acre_gc_alloc_uncleared(use.heap, size, align, site, &uncleared);
  if (!p)
    use.saved_errno = ENOMEM;
  acre_gc_process_leave(&use);
  if (uncleared > set)
    memset((char *)p + set, 0, uncleared - set);
  return p;
}

/* Not inlined, so that allocation from a run needs no registers saved. */
static __attribute__((noinline)) void *allocate_slowly(size_t size, const acre_site *of_run,
                                                       const acre_site *site, size_t set) {
  void *p = acre_gc_cache_take_slowly(size, of_run, set);
  return p ? p : allocate_with_lock(size, MALLOC_ALIGN, site, set);
}

/* of_run: the site by which a run is chosen, which differs from the object's if only a report wants
 * that. */
static inline void *allocate_from(size_t size, const acre_site *of_run, const acre_site *site,
                                  size_t set) {
  void *p = acre_gc_cache_take(size, of_run);
  return __builtin_expect(p != NULL, 1) ? p : allocate_slowly(size, of_run, site, set);
}

static inline void *allocate(size_t size, const acre_site *site, size_t set) {
  return allocate_from(size, site, site, set);
}

/* For a call whose line is known. */
static inline void *allocate_known(size_t size, const acre_site *site, size_t set) {
  return allocate_from(size, NULL, site, set);
}

/* What never holds a pointer. */
static const acre_type bytes_type = {.name = "bytes", .size = 1, .align = 1};
static const acre_site bytes_site = {.type = &bytes_type};

static void *allocate_bytes(size_t size, size_t set) { return allocate(size, &bytes_site, set); }

/* The size of the object at p, if that is in a cell that is too small for size bytes; else 0, and
 * where finding it takes the lock. */
static size_t grown_out(const void *p, size_t size) {
  const heap *h = __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE);
  enum colour colour;
  size_t capacity = h->has_thread_caches ? acre_gc_cache_cell_size(h, p, &colour) : 0;
  uint64_t header = capacity ? ((const uint64_t *)p)[-1] : 0;
  if (capacity == 0 || size <= capacity - sizeof header || header >> INFO_FLAGS_SHIFT ||
      cache_was_freed(h, p))
    return 0;
  return capacity - sizeof header - (header >> INFO_PADDING_SHIFT & INFO_PADDING_MASK);
}

/* The object that begins at p, an address of the heap.  If there is none, nobody allocated it, or
   it was collected because only a disguised pointer referred to it: the program ends. */
static object_view require_object(heap *h, void *p, const char *function,
                                  const acre_rt_where *where, cell *c) {
  object_view o;
  if (!find_cell(h, p, c) || cell_colour(h, c) == COLOUR_WHITE ||
      (o = cell_object(h, c)).start != p)
    acre_gc_misuse_of_heap(&h->head, p, function, where);
  return o;
}

/* p, which is no address of the heap, is about to be passed on. */
static void pass_on(const char *function, const acre_rt_where *where) {
  acre_thread_find_stack();
  acre_gc_misuse_tell(function, where);
}

void *acre_rt_gc_malloc(size_t size) { return allocate(size, NULL, 0); }

void *acre_rt_gc_calloc(size_t count, size_t size) {
  size_t bytes;
  return allocate(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes, NULL, 0);
}

void *acre_rt_gc_malloc_at(size_t size, const acre_site *site) {
  return allocate_known(size, site, 0);
}

void *acre_rt_gc_calloc_at(size_t count, size_t size, const acre_site *site) {
  size_t bytes;
  return allocate_known(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes, site, 0);
}

void *acre_rt_gc_malloc_numbers(size_t size) { return allocate_bytes(size, size); }

void *acre_rt_gc_calloc_numbers(size_t count, size_t size) {
  size_t bytes;
  return allocate_bytes(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes, 0);
}

/* The object is freed.  False, and told where there is a quarantine or a report, if it was before.
 * The flag is set only for reports: else the write, often the last one to its page, would cost a
 * fault while a collection watches, and serve nothing. */
static bool is_freed_now(heap *h, const cell *c, const object_view *o, const acre_rt_where *where) {
  bool reports = acre_freed_is_reported(h);
  bool is_new = h->quarantine.is_on ? acre_gc_quarantine_put(h, c)
                                    : !reports || !(cell_flags(h, c) & OBJECT_FREED);
  if (!is_new && reports)
    acre_freed_again(o, "free", where);
  else if (!is_new)
    acre_gc_misuse_again(o->start, "free", where);
  if (is_new && reports) {
    acre_freed_note(h, o, where);
    cell_change_flags(h, c, 0, OBJECT_FREED);
    h->cells.has_freed = true;
  }
  return is_new;
}

static void free_object(heap *h, void *p, const acre_rt_where *where) {
  cell c;
  object_view o = require_object(h, p, "free", where, &c);
  if (is_freed_now(h, &c, &o, where))
    acre_gc_cache_report_freed(h, acre_gc_quarantine_weight(h, &c));
}

static __attribute__((noinline)) void free_slowly(void *p, const acre_rt_where *where) {
  if (!p)
    return;
  if (!acre_collected_owns(p)) {
    pass_on("free", where);
    acre_rt_free(p);
    acre_gc_misuse_told();
    return;
  }
  acre_gc_use use = acre_gc_process_enter();
  free_object(use.heap, p, where);
  acre_gc_process_leave(&use);
}

static void clear_references(void *p, size_t size) {
  for (size_t i = 0; i < size / sizeof(void *); i++)
    if (acre_page_owner(((void **)p)[i]))
      ((void **)p)[i] = NULL;
}

/* What was freed keeps no region, whether or not something refers to it; and who uses it all the
 * same does not find where a region was.  Most objects have no records, and of a cell that is known
 * without the lock.  Before the lock is taken: what drops them may hold another. */
static __attribute__((noinline)) void drop_records(const heap *h, void *p) {
  enum colour colour;
  size_t size = acre_gc_cache_cell_size(h, p, &colour);
  if (size && acre_record_none_near((uintptr_t)p, size))
    return;
  if (!p || acre_gc_process_object(p, &size) != p)
    return;
  clear_references(p, size);
  acre_rt_release(p, size);
}

/* Not inlined, so that the other way needs no registers saved. */
static __attribute__((noinline)) void free_to_quarantine(const heap *h, void *p,
                                                         const acre_rt_where *where) {
  if (__builtin_expect(acre_may_have_records(), 0))
    drop_records(h, p);
  if (!acre_gc_cache_quarantine(h, p))
    free_slowly(p, where);
}

static inline void free_at(void *p, const acre_rt_where *where) {
  const heap *h = __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE);
  if (h && h->quarantine.is_on)
    free_to_quarantine(h, p, where);
  else {
    if (h && __builtin_expect(acre_may_have_records(), 0))
      drop_records(h, p);
    if (acre_gc_keeps_some())
      acre_gc_keep_no_more(p);
    if (!h || !acre_gc_cache_free(h, p))
      free_slowly(p, where);
  }
}

void acre_rt_gc_free_at(void *p, const acre_rt_where *where) { free_at(p, where); }
void acre_rt_gc_free(void *p) { free_at(p, NULL); }
void acre_rt_gc_library_free(void *p) { free_at(p, NULL); }

/* -- Resizing ---------------------------------------------------------------------------------- */

/* What was resized, and how large it was before. */
typedef struct resized {
  size_t old_size;
  bool was_freed; /* and is left as it is */
} resized;

/* p, resized in its place; null if that is not possible. */
static void *resize(void *p, size_t size, resized *r, const acre_rt_where *where) {
  acre_gc_use use = acre_gc_process_enter();
  cell c;
  object_view o = require_object(use.heap, p, "realloc", where, &c);
  *r = (resized){o.size, quarantine_has(use.heap, &c)};
  if (r->was_freed && acre_freed_is_reported(use.heap))
    acre_freed_again(&o, "realloc", where);
  else if (r->was_freed)
    acre_gc_misuse_again(p, "realloc", where);
  bool is_resized = !r->was_freed && acre_gc_resize(use.heap, &c, &o, size);
  acre_gc_process_leave(&use);
  return is_resized ? p : NULL;
}

/* An object that grows gets room for a quarter more, so that growing in small steps does not copy
 * it at each.  The room takes no memory before it is used. */
static void *allocate_to_grow(size_t old_size, size_t size, const acre_site *site) {
  size_t room = old_size + old_size / 4;
  resized made;
  if (old_size < ACRE_PAGE_SIZE || size < old_size || size >= room)
    return allocate_known(size, site, old_size);
  void *p = allocate_known(room, site, old_size);
  if (!p)
    return allocate_known(size, site, old_size);
  resize(p, size, &made, NULL);
  return p;
}

static void *resize_foreign(void *p, size_t size, const acre_rt_where *where) {
  pass_on("realloc", where);
  void *moved = acre_rt_realloc(p, size);
  acre_gc_misuse_told();
  return moved;
}

static void *move(void *p, size_t size, const resized *r, const acre_site *site,
                  const acre_rt_where *where) {
  void *moved = allocate_to_grow(r->old_size, size, site);
  if (!moved)
    return NULL;
  size_t kept = r->old_size < size ? r->old_size : size;
  memcpy(moved, p, kept);
  if (acre_is_counting())
    acre_record_copy((uintptr_t)p, (uintptr_t)moved, kept);
  if (!r->was_freed)
    free_at(p, where);
  return moved;
}

/* The place of a call stays known as long as its site does, and lies in it. */
static const acre_rt_where *where_of(const acre_site *site) {
  _Static_assert(sizeof(acre_rt_where) == sizeof(acre_site) - offsetof(acre_site, file) &&
                     offsetof(acre_rt_where, line) ==
                         offsetof(acre_site, line) - offsetof(acre_site, file),
                 "a site ends in a place");
  return site ? (const acre_rt_where *)(const void *)&site->file : NULL;
}

void *acre_rt_gc_realloc_at(void *p, size_t size, const acre_site *site) {
  const acre_rt_where *where = where_of(site);
  if (!p)
    return allocate_known(size, site, 0);
  if (!acre_collected_owns(p))
    return resize_foreign(p, size, where);
  if (size == 0) {
    acre_rt_gc_free_at(p, where);
    return NULL;
  }
  resized r = {grown_out(p, size), false};
  void *resized_here = r.old_size ? NULL : resize(p, size, &r, where);
  return resized_here ? resized_here : move(p, size, &r, site, where);
}

void *acre_rt_gc_realloc(void *p, size_t size) { return acre_rt_gc_realloc_at(p, size, NULL); }
void *acre_rt_gc_library_realloc(void *p, size_t size) {
  return acre_rt_gc_realloc_at(p, size, NULL);
}

void *acre_rt_gc_reallocarray_at(void *p, size_t count, size_t size, const acre_site *site) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return acre_rt_gc_realloc_at(p, bytes, site);
}

void *acre_rt_gc_reallocarray(void *p, size_t count, size_t size) {
  return acre_rt_gc_reallocarray_at(p, count, size, NULL);
}

/* The caller may use all of it (text is appended while there is room), so it counts as part of the
 * object and is scanned. */
size_t acre_rt_gc_usable_size_at(void *p, const acre_rt_where *where) {
  if (!acre_collected_owns(p)) {
    pass_on("malloc_usable_size", where);
    size_t foreign = malloc_usable_size(p);
    acre_gc_misuse_told();
    return foreign;
  }
  size_t size = acre_gc_cache_fill_place(__atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE), p);
  if (size)
    return size;
  acre_gc_use use = acre_gc_process_enter();
  cell c;
  object_view o = require_object(use.heap, p, "malloc_usable_size", where, &c);
  size = acre_gc_fill_place(use.heap, &c, &o);
  acre_gc_process_leave(&use);
  return size;
}

size_t acre_rt_gc_usable_size(void *p) { return acre_rt_gc_usable_size_at(p, NULL); }
size_t acre_rt_gc_library_usable_size(void *p) { return acre_rt_gc_usable_size_at(p, NULL); }

/* -- Alignment --------------------------------------------------------------------------------- */

/* Alignment to more than a page of the heap is rare and left to the C library: that memory is
   searched, but not collected. */
void *acre_rt_gc_aligned_alloc(size_t align, size_t size) {
  if (align > ACRE_PAGE_SIZE || align == 0 || (align & (align - 1)) != 0)
    return aligned_alloc(align, size);
  return align <= MALLOC_ALIGN ? allocate(size, NULL, 0) : allocate_with_lock(size, align, NULL, 0);
}

int acre_rt_gc_posix_memalign(void **result, size_t align, size_t size) {
  if (align < sizeof(void *) || (align & (align - 1)) != 0)
    return EINVAL;
  int saved_errno = errno;
  void *p = acre_rt_gc_aligned_alloc(align, size);
  errno = saved_errno;
  if (!p)
    return ENOMEM;
  *result = p;
  return 0;
}

void *acre_rt_gc_valloc(size_t size) {
  return acre_rt_gc_aligned_alloc((size_t)sysconf(_SC_PAGESIZE), size);
}

void *acre_rt_gc_pvalloc(size_t size) {
  size_t align = (size_t)sysconf(_SC_PAGESIZE);
  return size > SIZE_MAX - align ? acre_rt_gc_malloc(SIZE_MAX)
                                 : acre_rt_gc_valloc(round_up(size, align));
}

/* -- Text -------------------------------------------------------------------------------------- */

static void *duplicate(const void *text, size_t size, size_t end) {
  char *copy = allocate_bytes(size + end, size);
  return copy ? memcpy(copy, text, size) : NULL;
}

char *acre_rt_gc_strdup(const char *text) { return duplicate(text, strlen(text), 1); }
char *acre_rt_gc_strndup(const char *text, size_t most) {
  return duplicate(text, strnlen(text, most), 1);
}
wchar_t *acre_rt_gc_wcsdup(const wchar_t *text) {
  return duplicate(text, wcslen(text) * sizeof(wchar_t), sizeof(wchar_t));
}

/* level: of _FORTIFY_SOURCE; 0: none.  The C library's function checks the format; its result is
 * moved to the heap. */
int __vasprintf_chk(char **result, int level, const char *format, va_list arguments);

int acre_rt_gc_vasprintf_checked(char **result, int level, const char *format, va_list arguments) {
  char *foreign;
  int size = level ? __vasprintf_chk(&foreign, level, format, arguments)
                   : vasprintf(&foreign, format, arguments);
  if (size < 0)
    return size;
  char *text = allocate_bytes((size_t)size + 1, (size_t)size);
  if (text)
    *result = memcpy(text, foreign, (size_t)size);
  free(foreign);
  return text ? size : -1;
}

int acre_rt_gc_asprintf_checked(char **result, int level, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = acre_rt_gc_vasprintf_checked(result, level, format, arguments);
  va_end(arguments);
  return size;
}

int acre_rt_gc_vasprintf(char **result, const char *format, va_list arguments) {
  return acre_rt_gc_vasprintf_checked(result, 0, format, arguments);
}

int acre_rt_gc_asprintf(char **result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = acre_rt_gc_vasprintf_checked(result, 0, format, arguments);
  va_end(arguments);
  return size;
}
