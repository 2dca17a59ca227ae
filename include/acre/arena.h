/* SPDX-License-Identifier: MIT */
/* arena.h - arenas: objects that share a lifetime, allocated by moving a pointer and freed all at
 * once.
 *
 * After "Fast Allocation and Deallocation of Memory Based on Object Lifetimes" (Hanson, 1990).  A
 * library of its own: needs libacre but not acre-cc; C99 and later, C++11 and later.  Nothing is
 * checked about pointers into an arena: for that there are regions (region.h).
 *
 * An arena may be used by one thread at a time; different arenas are independent.  Memory is not
 * cleared unless the function says so.  Every object is aligned to at least ACRE_ARENA_ALIGN bytes.
 * A request for 0 bytes returns a valid pointer to no bytes, perhaps equal to another object's.
 *
 * Out of memory (also: an arena's limit, a size that overflows): functions with _try_ return null
 * and change nothing; the others call the arena's out_of_memory function as long as that returns
 * true, and then abort with a message. Misuse (an alignment that is no power of two, a mark that is
 * not of this arena) aborts with a message where it is noticed.  Under Valgrind and
 * AddressSanitizer, memory that is free, and a gap after each object, may not be touched.
 */
#ifndef ACRE_ARENA_H
#define ACRE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <acre/truth.h>

#if UINTPTR_MAX < 0xffffffffffffffff
#error "Acre needs 64-bit addresses"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ACRE_ARENA_LIKELY_(x) __builtin_expect(!!(x), 1)
#define ACRE_ARENA_CONSTANT_(x) __builtin_constant_p(x)
#define ACRE_ARENA_RESULT_ __attribute__((warn_unused_result))
#define ACRE_ARENA_COLD_ __attribute__((cold, noinline))
#pragma GCC visibility push(default)
#else
#define ACRE_ARENA_LIKELY_(x) (x)
#define ACRE_ARENA_CONSTANT_(x) 0
#define ACRE_ARENA_RESULT_
#define ACRE_ARENA_COLD_
#endif

/* The alignment of every object: that of max_align_t, long double and 16-byte vectors. */
#define ACRE_ARENA_ALIGN ((size_t)16)

/* The part of an arena that inline allocation moves; the runtime's own part lies behind it.  avail
   is a multiple of ACRE_ARENA_ALIGN, so that rounding a constant size up at compile time replaces
   aligning at run time.  [avail, limit) is free. */
typedef struct acre_arena {
  char *avail;
  char *limit;
} acre_arena;

/* Zero in any field asks for its default.  Sizes are in bytes and are rounded up to whole pages (16
 * KiB). */
typedef struct acre_arena_options {
  const char *name;     /* appears in messages; kept by reference.  Default: "unnamed" */
  size_t initial_block; /* the first block.  Default: one page */
  size_t max_block; /* blocks stop growing at this size; larger objects get their own.  Default: 1
                       MiB */
  unsigned
      growth_percent; /* a new block's size, of the one before: 100 for no growth.  Default: 200 */
  size_t limit;       /* the most memory the arena may hold.  Default: no limit */
  size_t spare;       /* the most memory a rewind keeps for later use.  Default: max_block */
  /* Called with the bytes wanted when memory is out.  True: something was freed, try again. */
  acre_bool (*out_of_memory)(acre_arena *arena, size_t bytes, void *context);
  void *context;
} acre_arena_options;

typedef struct acre_arena_stats {
  const char *name;
  size_t bytes_used;  /* by objects, with what aligning them costs */
  size_t bytes_held;  /* pages the arena has, spare ones included */
  size_t bytes_peak;  /* the most it ever held */
  size_t bytes_spare; /* in blocks that wait for reuse */
  size_t blocks;      /* in use */
  size_t taken;       /* blocks taken from the system since creation */
  size_t extended;    /* times the last block was grown in place instead */
  size_t reused;      /* times a spare block was used instead */
} acre_arena_stats;

/* A point in the life of an arena to go back to.  Its fields are the runtime's. */
typedef struct acre_arena_mark {
  void *newest;
  void *current;
  char *avail;
} acre_arena_mark;

/* -- Life -------------------------------------------------------------------------------------- */

/* A new arena; null when memory is out.  options may be null.  The arena is stored in its own first
 * block. */
ACRE_ARENA_RESULT_ acre_arena *acre_arena_new(const acre_arena_options *options);
/* Frees the arena and everything in it.  Null is allowed.  O(blocks). */
void acre_arena_delete(acre_arena *arena);
/* Frees everything in the arena, and all memory past the first keep bytes of it (SIZE_MAX keeps
   all, 0 all but the first block).  Marks become invalid.  O(blocks). */
void acre_arena_reset(acre_arena *arena, size_t keep);
/* Rewinding to a mark frees what was allocated since.  Marks nest like a stack: rewinding to one
   makes those set after it invalid.  Up to options.spare bytes of free blocks are kept for later,
   and as much at the end of the block that becomes current.  O(blocks freed). */
acre_arena_mark acre_arena_set_mark(const acre_arena *arena);
void acre_arena_rewind(acre_arena *arena, acre_arena_mark mark);

void acre_arena_get_stats(const acre_arena *arena, acre_arena_stats *stats);
/* Checks the arena's invariant.  False, with a message on stderr, if it does not hold.  O(blocks).
 */
acre_bool acre_arena_check(const acre_arena *arena);

/* -- Allocation -------------------------------------------------------------------------------- */

/* Out of line, for the inline functions below: allocation that needs memory, and its failure. */
ACRE_ARENA_COLD_ void *acre_arena_try_alloc_slow(acre_arena *arena, size_t size, size_t align);
ACRE_ARENA_COLD_ void *acre_arena_alloc_slow(acre_arena *arena, size_t size, size_t align);
/* As alloc_slow for count * size bytes, which overflow or not. */
ACRE_ARENA_COLD_ void *acre_arena_alloc_array_slow(acre_arena *arena, size_t count, size_t size,
                                                   size_t align);

/* Takes size bytes from [avail, limit).  avail moves only after the test: moving it first, as the
   paper prints it, leaves a gap when the block is then extended in place.  Small constants cannot
   carry the end of the object past the end of the address space, which makes one comparison enough.
 */
static __inline acre_bool acre_arena_take_(acre_arena *arena, size_t size, size_t align,
                                           void **taken) {
  size_t rounded = (size + (ACRE_ARENA_ALIGN - 1)) & ~(ACRE_ARENA_ALIGN - 1);
  uintptr_t avail = (uintptr_t)arena->avail, limit = (uintptr_t)arena->limit;
  uintptr_t start =
      align <= ACRE_ARENA_ALIGN ? avail : (avail + (align - 1)) & ~(uintptr_t)(align - 1);
  if (align == 0 || (align & (align - 1)) != 0)
    return 0;
  acre_bool is_small = size <= ((size_t)1 << 30) && align <= 4096;
  if (ACRE_ARENA_CONSTANT_(is_small) && is_small) {
    if (!ACRE_ARENA_LIKELY_(start + rounded <= limit))
      return 0;
  } else {
    if (align > ACRE_ARENA_ALIGN && start > limit)
      return 0;
    if (!ACRE_ARENA_LIKELY_(size <= limit - start))
      return 0;
  }
  char *object = arena->avail + (start - avail);
  arena->avail = object + rounded;
  *taken = object;
  return 1;
}

/* size bytes aligned to align, a power of two: two instructions more than below if align >
 * ACRE_ARENA_ALIGN. */
ACRE_ARENA_RESULT_ static __inline void *acre_arena_try_alloc_aligned(acre_arena *arena,
                                                                      size_t size, size_t align) {
  void *p;
  return ACRE_ARENA_LIKELY_(acre_arena_take_(arena, size, align, &p))
             ? p
             : acre_arena_try_alloc_slow(arena, size, align);
}

ACRE_ARENA_RESULT_ static __inline void *acre_arena_alloc_aligned(acre_arena *arena, size_t size,
                                                                  size_t align) {
  void *p;
  return ACRE_ARENA_LIKELY_(acre_arena_take_(arena, size, align, &p))
             ? p
             : acre_arena_alloc_slow(arena, size, align);
}

/* size bytes.  O(1), five instructions when size is constant and the block has room. */
ACRE_ARENA_RESULT_ static __inline void *acre_arena_try_alloc(acre_arena *arena, size_t size) {
  return acre_arena_try_alloc_aligned(arena, size, ACRE_ARENA_ALIGN);
}

ACRE_ARENA_RESULT_ static __inline void *acre_arena_alloc(acre_arena *arena, size_t size) {
  return acre_arena_alloc_aligned(arena, size, ACRE_ARENA_ALIGN);
}

/* size bytes of zero. */
ACRE_ARENA_RESULT_ static __inline void *acre_arena_try_alloc_zeroed(acre_arena *arena,
                                                                     size_t size) {
  void *p = acre_arena_try_alloc(arena, size);
  return p ? memset(p, 0, size) : p;
}

ACRE_ARENA_RESULT_ static __inline void *acre_arena_alloc_zeroed(acre_arena *arena, size_t size) {
  return memset(acre_arena_alloc(arena, size), 0, size);
}

/* count elements of size bytes; count * size may overflow, which is as out of memory. */
ACRE_ARENA_RESULT_ static __inline void *acre_arena_try_alloc_array(acre_arena *arena, size_t count,
                                                                    size_t size, size_t align) {
  return size != 0 && count > SIZE_MAX / size
             ? NULL
             : acre_arena_try_alloc_aligned(arena, count * size, align);
}

ACRE_ARENA_RESULT_ static __inline void *acre_arena_alloc_array(acre_arena *arena, size_t count,
                                                                size_t size, size_t align) {
  if (size != 0 && count > SIZE_MAX / size)
    return acre_arena_alloc_array_slow(arena, count, size, align);
  return acre_arena_alloc_aligned(arena, count * size, align);
}

/* old, of old_size bytes, with new_size bytes; the bytes that both have keep their contents.  In
   place if old is the arena's last object or does not grow, else a copy, and old's memory is lost
   until a rewind.  old may be null.  O(1) in place, else O(old_size). */
ACRE_ARENA_RESULT_ void *acre_arena_try_resize(acre_arena *arena, void *old, size_t old_size,
                                               size_t new_size);
ACRE_ARENA_RESULT_ void *acre_arena_resize(acre_arena *arena, void *old, size_t old_size,
                                           size_t new_size);
/* A copy of string, which ends with a zero byte.  O(length). */
ACRE_ARENA_RESULT_ char *acre_arena_strdup(acre_arena *arena, const char *string);

/* Typed allocation; macros because C functions cannot take a type. */
#if defined(__cplusplus)
#define ACRE_ARENA_ALIGNOF_(T) alignof(T)
#elif defined(__GNUC__)
#define ACRE_ARENA_ALIGNOF_(T) __alignof__(T)
#else
#define ACRE_ARENA_ALIGNOF_(T) _Alignof(T)
#endif
#define ACRE_ARENA_NEW(arena, T) \
  ((T *)acre_arena_alloc_aligned((arena), sizeof(T), ACRE_ARENA_ALIGNOF_(T)))
#define ACRE_ARENA_NEW_ARRAY(arena, count, T) \
  ((T *)acre_arena_alloc_array((arena), (count), sizeof(T), ACRE_ARENA_ALIGNOF_(T)))

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
