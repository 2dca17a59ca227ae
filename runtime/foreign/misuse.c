/* SPDX-License-Identifier: MIT */
/* misuse.c - see misuse.h.
 *
 * A block of the C library has a word with its size and three flags before it.  Most lie behind the
 * program, in memory from brk, which can be read.  Elsewhere the flags say what else must hold: a
 * block with a mapping of its own fills its pages; one of another arena is that arena's to judge.
 * One without these flags is followed by another, which has a flag that it is in use.
 */
#define _GNU_SOURCE
#include "foreign/misuse.h"

#include <acre/collected.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include "counting/describe.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/sanitizer.h"
#include "platform/staying.h"
#include "platform/thread.h"

#define BLOCK_ALIGN 16
#define BLOCK_BYTES_MIN 32
#define FLAG_PREVIOUS_IN_USE 1
#define FLAG_MAPPED 2
#define FLAG_OTHER_ARENA 4
#define FLAGS 7
#define BLOCKS_LOOKED_AT 4
#define ARENA_SHIFT 26 /* those of threads are so aligned */

/* A program that frees things twice may do so for ever. */
#define TOLD_AGAIN_MAX 100
#define WAY_OUT "pass only what malloc and its kin returned"

static _Thread_local struct {
  const char *function;
  const acre_rt_where *where;
} telling;

void acre_gc_misuse_tell(const char *function, const acre_rt_where *where) {
  telling.function = function;
  telling.where = where;
}

void acre_gc_misuse_told(void) { telling.function = NULL; }

void acre_gc_misuse_begin(const void *p, const char *function) {
  acre_os_print(STDERR_FILENO, "acre: fatal: ");
  acre_print_where(STDERR_FILENO, telling.function ? telling.where : NULL);
  acre_os_print(STDERR_FILENO, "%s: %p ", telling.function ? telling.function : function, p);
}

void acre_gc_misuse_of_heap(acre_heap *h, const void *p, const char *function,
                            const acre_rt_where *where) {
  ACRE_ASSERT(acre_self.is_in_collected);
  const char *start = acre_heap_object_of(h, p);
  acre_gc_misuse_tell(function, where);
  acre_gc_misuse_begin(p, function);
  acre_os_print(STDERR_FILENO, "is not the start of an object in the collected heap");
  if (start)
    acre_os_print(STDERR_FILENO, ", but at offset %zu of one of %zu bytes",
                  (size_t)((const char *)p - start), acre_heap_object_size(h, start));
  acre_os_print(STDERR_FILENO, "; " WAY_OUT "\n");
  acre_os_abort();
}

void acre_gc_misuse_again(const void *p, const char *function, const acre_rt_where *where) {
  static unsigned told;
  if (__atomic_fetch_add(&told, 1, __ATOMIC_RELAXED) >= TOLD_AGAIN_MAX)
    return;
  acre_os_print(STDERR_FILENO, "acre: ");
  acre_print_where(STDERR_FILENO, where);
  acre_os_print(STDERR_FILENO, "%s: %p was freed before\n", function, p);
}

/* -- Blocks of the C library ------------------------------------------------------------------- */

static bool read_word(uintptr_t at, uintptr_t *word) {
  return acre_os_read((const void *)at, word, sizeof *word);
}

/* Or is there nobody who says what can be read? */
static bool can_read(void) {
  uintptr_t word = 0, copy;
  return read_word((uintptr_t)&word, &copy);
}

static bool is_sane_size(uintptr_t size) {
  return size >= BLOCK_BYTES_MIN && size % BLOCK_ALIGN == 0 && size < (uintptr_t)PTRDIFF_MAX;
}

static bool may_be_block_behind_program(uintptr_t p) {
  uintptr_t head = ((const uintptr_t *)p)[-1], size = head & ~(uintptr_t)FLAGS;
  if (head & (FLAG_MAPPED | FLAG_OTHER_ARENA) || !is_sane_size(size) ||
      !acre_memory_is_from_brk(p + size - 1))
    return false;
  return ((const uintptr_t *)(p + size))[-1] & FLAG_PREVIOUS_IN_USE;
}

/* As many as are looked at, or all up to the last one, whose end cannot be read. */
static bool is_followed_by_blocks(uintptr_t block, uintptr_t head) {
  for (int i = 0; i < BLOCKS_LOOKED_AT; i++) {
    uintptr_t size = head & ~(uintptr_t)FLAGS;
    if (!is_sane_size(size))
      return false;
    block += size;
    if (!read_word(block + sizeof head, &head))
      return i > 0;
    if (i == 0 && !(head & FLAG_PREVIOUS_IN_USE))
      return false;
  }
  return true;
}

/* A mapping ends with its block or, in newer versions of the library, behind room for the head of
 * another. */
static bool fills_pages(uintptr_t block, uintptr_t size) {
  const uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1, end = block + size;
  uintptr_t before;
  return read_word(block, &before) && ((block - before) & mask) == 0 &&
         ((end & mask) == 0 || ((end + 2 * sizeof before) & mask) == 0);
}

static bool may_be_block(uintptr_t p) {
  static uintptr_t readable; /* where a block of another arena was found last */
  uintptr_t head, block = p - 2 * sizeof head, part = p >> ARENA_SHIFT;
  if (p % BLOCK_ALIGN != 0)
    return false;
  if (acre_memory_is_from_brk(p))
    return may_be_block_behind_program(p);
  if (part && part == __atomic_load_n(&readable, __ATOMIC_RELAXED))
    head = ((const uintptr_t *)p)[-1];
  else if (!read_word(p - sizeof head, &head))
    return !can_read();
  if (head & FLAG_MAPPED)
    return fills_pages(block, head & ~(uintptr_t)FLAGS);
  if (!(head & FLAG_OTHER_ARENA))
    return is_followed_by_blocks(block, head);
  __atomic_store_n(&readable, part, __ATOMIC_RELAXED);
  return true;
}

/* -- All other memory -------------------------------------------------------------------------- */

static void expect(bool is_sane, const void *p, const char *function, const char *what) {
  if (__builtin_expect(is_sane, 1))
    return;
  acre_gc_misuse_begin(p, function);
  acre_os_print(STDERR_FILENO, "%s; " WAY_OUT "\n", what);
  acre_os_abort();
}

/* Is the allocator with this code the C library's?  There is one in a process.  Valgrind puts its
 * own in the same place. */
static bool is_libc(const void *allocator) {
  static const void *known;
  if (__atomic_load_n(&known, __ATOMIC_RELAXED) == allocator)
    return true;
  const void *in_libc = (const void *)(uintptr_t)gnu_get_libc_version;
  if (RUNNING_ON_VALGRIND || acre_os_library(allocator).start != acre_os_library(in_libc).start)
    return false;
  __atomic_store_n(&known, allocator, __ATOMIC_RELAXED);
  return true;
}

static bool is_in_window(uintptr_t at) {
  size_t count = __atomic_load_n(&acre_rt_window_pages, __ATOMIC_ACQUIRE);
  return (at - acre_window_base()) >> ACRE_WINDOW_PAGE_SHIFT < count;
}

/* An allocator in a shared library may hand out memory of its own image (a static arena); the C
 * library never does, so there such an address is misuse. */
static __attribute__((noinline)) void expect_anywhere(const void *p, const char *function,
                                                      const void *allocator) {
  uintptr_t at = (uintptr_t)p, library = acre_os_library(p).start;
  bool may_be_there = !is_libc(allocator) && library == acre_os_library(allocator).start;
  expect(!acre_thread_is_on_stack(at), p, function,
         "is on the stack: a local variable, or memory of alloca");
  expect(!library || may_be_there, p, function,
         "is in the program or a library: a global or static variable, or a string literal");
  expect(!is_in_window(at), p, function,
         "is in region memory, which only deleting its region frees");
  expect(!is_libc(allocator) || may_be_block(at), p, function, "was not allocated by any malloc");
}

/* Most blocks lie where nothing else does. */
void acre_rt_gc_expect_foreign(const void *p, const char *function, const void *allocator) {
  uintptr_t at = (uintptr_t)p;
  bool is_block = is_libc(allocator) && at % BLOCK_ALIGN == 0 && !acre_thread_is_on_stack(at) &&
                  acre_memory_is_from_brk(at) && may_be_block_behind_program(at);
  if (__builtin_expect(!is_block, 0))
    expect_anywhere(p, function, allocator);
}
