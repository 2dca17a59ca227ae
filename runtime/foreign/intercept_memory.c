/* SPDX-License-Identifier: MIT */
/* intercept_memory.c - interceptors for C library functions that free or move memory which may hold
 * counted slots.
 *
 * Each is the plain function while the memory has no records.  Most programs never make a region:
 * free and realloc ask that before they save a register.  The extent of a malloc block is
 * asked of malloc_usable_size, if that comes from the same object file as malloc; a program with a
 * malloc of its own and no matching malloc_usable_size leaves records behind, which are healed.
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counting/describe.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/store.h"
#include "foreign/misuse.h"
#include "memory/pages.h"
#include "platform/os.h"

/* A program may have a function of this name (platform/kernel.h); munmap is to be its own. */
#pragma redefine_extname sysconf __sysconf

/* -- malloc ------------------------------------------------------------------------------------ */

static uintptr_t library_of(uintptr_t function) {
  return acre_os_library((const void *)function).start;
}

static bool ask_if_matching(void) {
  uintptr_t of_malloc = library_of((uintptr_t)malloc);
  uintptr_t of_size = library_of((uintptr_t)malloc_usable_size);
  return !of_malloc || !of_size ||
         of_malloc == of_size; /* not known: a static program has one malloc */
}

static int is_size_known; /* 0: not asked yet, 1: yes, 2: no */

__attribute__((noinline, cold)) static size_t first_block_size(void *p) {
  int answer = ask_if_matching() ? 1 : 2;
  __atomic_store_n(&is_size_known, answer, __ATOMIC_RELAXED);
  return answer == 1 ? malloc_usable_size(p) : 0;
}

/* The bytes of malloc block p; 0 if they cannot be known. */
static inline size_t block_size(void *p) {
  int answer = __atomic_load_n(&is_size_known, __ATOMIC_RELAXED);
  if (__builtin_expect(answer == 1, 1))
    return malloc_usable_size(p);
  return answer ? 0 : first_block_size(p);
}

_Noreturn __attribute__((noinline, cold)) static void refuse(const void *p, uint32_t owner,
                                                             const char *function) {
  acre_gc_misuse_begin(p, function);
  acre_os_print(2, "is ");
  acre_print_object(2, p);
  acre_os_print(2, " in ");
  acre_print_region(2, acre_registry_at(owner));
  acre_os_print(2, ", which only deleting the region frees\n");
  abort();
}

static inline void expect_foreign(const void *p, const char *function) {
  uint32_t owner = __builtin_expect(acre_may_be_in_window(p), 0) ? acre_page_owner(p) : 0;
  if (__builtin_expect(owner != 0, 0))
    refuse(p, owner, function);
}

static void clear_slot(uintptr_t slot, uint32_t region, void *high) {
  (void)region;
  if (slot + ACRE_SLOT_SIZE <= (uintptr_t)high)
    memset((void *)slot, 0, ACRE_SLOT_SIZE);
}

/* Drops the records of size bytes at p, of which the program has no more use.  The pointers go too:
   who gets the memory next may copy text into it that ends in the middle of a word, and the rest of
   that word must not make it a pointer. */
static void discard(void *p, size_t size) {
  char *high = (char *)p + size;
  if (size == 0 || !acre_record_any((uintptr_t)p, (uintptr_t)high))
    return;
  acre_record_each_in((uintptr_t)p, (uintptr_t)high, clear_slot, high);
  acre_rt_release(p, size);
}

__attribute__((noinline)) static void free_with_records(void *p, size_t size) {
  discard(p, size);
  free(p);
}

/* Most blocks are small, in memory that has no records. */
__attribute__((noinline)) static void free_among_regions(void *p) {
  if (p) {
    expect_foreign(p, "free");
    size_t size = block_size(p);
    if (__builtin_expect(!acre_record_none_near((uintptr_t)p, size), 0)) {
      free_with_records(p, size);
      return;
    }
  }
  free(p);
}

void acre_rt_free(void *p) {
  if (__builtin_expect(acre_may_have_records(), 0))
    free_among_regions(p);
  else
    free(p);
}

/* A block with records is copied rather than handed to realloc: its old memory may belong to
   another thread when realloc returns, and the counts must not drop meanwhile.  One that grows gets
   a quarter more, or an array that grows by a few elements at a time would be copied each time,
   with its records. */
static void *move_block(void *p, size_t old_size, size_t size) {
  const size_t room = size > old_size ? size / 4 : 0;
  void *fresh = room < SIZE_MAX - size ? malloc(size + room) : NULL;
  if (!fresh)
    fresh = malloc(size);
  if (!fresh)
    return NULL;
  size_t kept = old_size < size ? old_size : size;
  memcpy(fresh, p, kept);
  acre_record_copy((uintptr_t)p, (uintptr_t)fresh, kept);
  discard(p, old_size);
  free(p);
  return fresh;
}

__attribute__((noinline)) static void *realloc_among_regions(void *p, size_t size) {
  if (!p)
    return malloc(size);
  expect_foreign(p, "realloc");
  size_t old_size = block_size(p);
  if (old_size == 0) {
    void *moved = realloc(p, size);
    if (moved)
      acre_rt_rescan(moved, size);
    return moved;
  }
  if (size == 0 || acre_record_none_near((uintptr_t)p, old_size) ||
      !acre_record_any((uintptr_t)p, (uintptr_t)p + old_size)) {
    if (size == 0)
      discard(p, old_size);
    return realloc(p, size);
  }
  if (size <= old_size && size >= old_size / 2) {
    discard((char *)p + size, old_size - size);
    return p;
  }
  return move_block(p, old_size, size);
}

void *acre_rt_realloc(void *p, size_t size) {
  return __builtin_expect(acre_may_have_records(), 0) ? realloc_among_regions(p, size)
                                                      : realloc(p, size);
}

void *acre_rt_reallocarray(void *p, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return acre_rt_realloc(p, bytes);
}

int acre_rt_munmap(void *address, size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  bool is_sane = size && (uintptr_t)address % page == 0 && size <= UINTPTR_MAX - (uintptr_t)address;
  if (!acre_may_have_records() || !is_sane)
    return munmap(address, size);
  /* Before, because another thread may use the addresses at once after.  If it fails the memory is
   * as it was. */
  acre_rt_release(address, size);
  int result = munmap(address, size);
  if (result != 0)
    acre_rt_rescan(address, size);
  return result;
}

/* The runtime has address space, and tables, of many times the memory that it uses: pages are
 * locked when they are first touched.  Older kernels know only to fill all of it. */
int acre_rt_mlockall(int flags) {
  int result = mlockall(flags | MCL_ONFAULT);
  return result != 0 && errno == EINVAL ? mlockall(flags) : result;
}

/* As of munmap; the memory has its pointers with it where it goes. */
void *acre_rt_mremap(void *address, size_t old_size, size_t size, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void *wanted = flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? va_arg(arguments, void *) : NULL;
  va_end(arguments);
  if (!acre_may_have_records())
    return mremap(address, old_size, size, flags, wanted);
  acre_rt_release(address, old_size);
  void *moved = mremap(address, old_size, size, flags, wanted);
  const bool is_moved = moved != MAP_FAILED;
  acre_rt_rescan(is_moved ? moved : address, is_moved && size < old_size ? size : old_size);
  return moved;
}

/* -- C++ --------------------------------------------------------------------------------------- */

/* operator delete(void *), and a function that is always the C++ library's. */
#pragma weak _ZdlPv
#pragma weak __cxa_throw
void _ZdlPv(void *p);
void __cxa_throw(void *exception, void *type, void (*destructor)(void *));

/* Does `operator delete` give back what malloc returned?  The C++ library's does; a program may
 * have one of its own, and where the library is linked into the program that cannot be told. */
static bool ask_if_library_deletes(void) {
  uintptr_t place = _ZdlPv && __cxa_throw ? library_of((uintptr_t)_ZdlPv) : 0;
  return place && place == library_of((uintptr_t)__cxa_throw) &&
         place != library_of((uintptr_t)ask_if_library_deletes);
}

static bool deletes_blocks(void) {
  static int answer; /* 0: not asked yet, 1: yes, 2: no */
  int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    known = ask_if_library_deletes() ? 1 : 2;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  return known == 1;
}

void acre_rt_before_delete(void *p, size_t size) {
  if (__builtin_expect(!acre_may_have_records(), 1) || !p)
    return;
  if (size == 0 && deletes_blocks())
    size = block_size(p);
  if (!acre_record_none_near((uintptr_t)p, size))
    discard(p, size);
}

/* -- qsort ------------------------------------------------------------------------------------- */

/* An array with records is sorted by sorting pointers to its elements, stably, and then permuting
   elements together with their records.  While comparisons run the array does not change, so a
   comparison may longjmp away. */

typedef int comparison(const void *, const void *, void *);

struct sort {
  char *base;
  size_t size;
  comparison *compare;
  void *context;
};

static void merge_sort(const struct sort *sort, char **items, char **spare, size_t count) {
  if (count < 2)
    return;
  size_t half = count / 2, left = 0, right = half, out = 0;
  merge_sort(sort, items, spare, half);
  merge_sort(sort, items + half, spare, count - half);
  memcpy(spare, items, count * sizeof *items);
  while (left < half && right < count) {
    bool takes_left = sort->compare(spare[left], spare[right], sort->context) <= 0;
    items[out++] = takes_left ? spare[left++] : spare[right++];
  }
  memcpy(items + out, spare + left, (half - left) * sizeof *items);
  memcpy(items + out + (half - left), spare + right, (count - right) * sizeof *items);
}

static void move_element(char *to, const char *from, size_t size) {
  memcpy(to, from, size);
  acre_record_copy((uintptr_t)from, (uintptr_t)to, size);
}

/* items[i] is the element that belongs at i.  hold: room for one element, congruent to it modulo
 * the slot size. */
static void permute(const struct sort *sort, char **items, size_t count, char *hold) {
  for (size_t start = 0; start < count; start++) {
    char *first = sort->base + start * sort->size;
    if (items[start] == first)
      continue;
    size_t phase = (uintptr_t)first % ACRE_SLOT_SIZE, at = start;
    move_element(hold + phase, first, sort->size);
    while (items[at] != first) {
      size_t next = (size_t)(items[at] - sort->base) / sort->size;
      move_element(sort->base + at * sort->size, items[at], sort->size);
      items[at] = sort->base + at * sort->size;
      at = next;
    }
    move_element(sort->base + at * sort->size, hold + phase, sort->size);
    items[at] = sort->base + at * sort->size;
    acre_record_release((uintptr_t)hold, (uintptr_t)hold + phase + sort->size);
  }
}

/* Without memory for pointers: like the C library's, this is no longer stable; each exchange keeps
 * records right. */
static void exchange_elements(const struct sort *sort, size_t i, size_t j) {
  char *a = sort->base + i * sort->size, *b = sort->base + j * sort->size;
  for (size_t k = 0; k < sort->size; k++) {
    char byte = a[k];
    a[k] = b[k];
    b[k] = byte;
  }
  acre_rt_rescan(a, sort->size);
  acre_rt_rescan(b, sort->size);
}

static void heap_sort(const struct sort *sort, size_t count) {
  for (size_t start = count / 2, end = count; end > 1;) {
    if (start > 0)
      start--;
    else
      exchange_elements(sort, 0, --end);
    for (size_t root = start, child; (child = 2 * root + 1) < end; root = child) {
      char *at = sort->base + child * sort->size;
      if (child + 1 < end && sort->compare(at, at + sort->size, sort->context) < 0)
        child++;
      at = sort->base + child * sort->size;
      if (sort->compare(sort->base + root * sort->size, at, sort->context) >= 0)
        break;
      exchange_elements(sort, root, child);
    }
  }
}

static void sort_with(const struct sort *sort, size_t count, char **items, char *hold) {
  for (size_t i = 0; i < count; i++)
    items[i] = sort->base + i * sort->size;
  merge_sort(sort, items, items + count, count);
  permute(sort, items, count, hold);
}

static void sort_counted(const struct sort *sort, size_t count) {
  /* On the stack if it fits: memory from malloc is lost if a comparison jumps away, as in the C
   * library. */
  char *small_items[2 * 128];
  _Alignas(ACRE_SLOT_SIZE) char small_hold[256 + ACRE_SLOT_SIZE];
  bool is_small = 2 * count <= sizeof small_items / sizeof *small_items &&
                  sort->size + ACRE_SLOT_SIZE <= sizeof small_hold;
  if (is_small) {
    sort_with(sort, count, small_items, small_hold);
    return;
  }
  char **items = count <= SIZE_MAX / (2 * sizeof *items) ? malloc(2 * count * sizeof *items) : NULL;
  char *hold = malloc(sort->size + ACRE_SLOT_SIZE);
  if (items && hold)
    sort_with(sort, count, items, hold);
  else
    heap_sort(sort, count);
  free(hold);
  free(items);
}

static bool has_records(const void *base, size_t count, size_t size) {
  return acre_is_counting() && count > 1 && size > 0 &&
         acre_record_any((uintptr_t)base, (uintptr_t)base + count * size);
}

static int compare_without_context(const void *a, const void *b, void *context) {
  int (*const *compare)(const void *, const void *) = context;
  return (*compare)(a, b);
}

void acre_rt_qsort(void *base, size_t count, size_t size,
                   int (*compare)(const void *, const void *)) {
  if (has_records(base, count, size))
    sort_counted(&(struct sort){base, size, compare_without_context, &compare}, count);
  else
    qsort(base, count, size, compare);
}

void acre_rt_qsort_r(void *base, size_t count, size_t size, comparison *compare, void *context) {
  if (has_records(base, count, size))
    sort_counted(&(struct sort){base, size, compare, context}, count);
  else
    qsort_r(base, count, size, compare, context);
}
