/* SPDX-License-Identifier: MIT */
/* bump.h - allocation in line: the part of a region that the caller of an allocation moves itself.
 *
 * Most allocations move one pointer.  region.h does that in line where the compiler is not acre-cc,
 * and acre-cc's last pass does it for the calls it has finished to reason about: both follow what
 * is said here.  All else (another region, a full block, a limit, an error) is a call of the
 * function in region.h, which gives the same result in every case.
 *
 * Each thread names the region it allocated in last, and the two allocators of it: the one for
 * objects that may hold pointers and the one for those that cannot.  An allocation of size bytes
 * aligned to align takes place in line if
 *
 *   1. the region is that of acre_rt_current,
 *   2. 0 < size <= ACRE_BUMP_MAX and align <= 16,
 *   3. with start = avail + 8, rounded up to align, the object ends before limit: start + size,
 *      rounded up to a multiple of 8, is at most limit.
 *
 * Then the word before start gets the object's header, the address of its site with the size in the
 * upper 16 bits; avail becomes the end, last the start, and tally grows by size and by one object.
 * [avail, limit) is zero, so the object is, and of the header only what is not zero need be
 * written.  Where no region is named, the region is null and both allocators are empty: so null,
 * like a handle whose region is gone, ends in the call, which says what is wrong.
 */
#ifndef ACRE_BUMP_H
#define ACRE_BUMP_H

#include <stddef.h>
#include <stdint.h>

#include <acre/type.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_region_handle *acre_region;

/* The largest object that is allocated in line, in bytes. */
#define ACRE_BUMP_MAX ((size_t)16384)
/* An object that is allocated in line has a header of one word. */
#define ACRE_BUMP_HEADER ((size_t)8)

typedef struct acre_rt_bump {
  char *avail; /* a multiple of 8 */
  char *limit;
  char *last;     /* the object allocated last from this block, or null */
  uint64_t tally; /* of this block: objects in units of ACRE_BUMP_ONE, and below that the bytes
                     asked for */
} acre_rt_bump;

#define ACRE_BUMP_ONE ((uint64_t)1 << 24)

typedef struct acre_rt_allocating {
  acre_region region;
  acre_rt_bump *normal, *pointer_free;
} acre_rt_allocating;

/* Not for acre-cc, see above, nor for languages without inline functions. */
#if defined(__GNUC__) && !defined(__ACRE__) && (defined(__cplusplus) || __STDC_VERSION__ >= 199901L)
#define ACRE_BUMP_INLINE 1

#pragma GCC visibility push(default)
extern __thread acre_rt_allocating acre_rt_current __attribute__((tls_model("initial-exec")));
void *acre_region_alloc(acre_region region, size_t size, size_t align, const acre_site *site);
void *acre_region_alloc_array(acre_region region, size_t count, size_t size, size_t align,
                              const acre_site *site);
char *acre_region_alloc_bytes(acre_region region, size_t size);
#pragma GCC visibility pop

/* Moves avail past an object of size bytes, 1 to ACRE_BUMP_MAX, aligned to align, at most 16; null
   if there is no room.  The caller knows no site, so the header holds the size only. */
static __inline char *acre_bump_take_(acre_rt_bump *bump, size_t size, size_t align) {
  /* Numbers: before the first object avail and limit are null. */
  uintptr_t avail = (uintptr_t)bump->avail, offset = ACRE_BUMP_HEADER;
  if (align > ACRE_BUMP_HEADER)
    offset += -(avail + offset) & (align - 1);
  uintptr_t end = avail + offset + ((size + 7) & ~(size_t)7);
  if (__builtin_expect(end > (uintptr_t)bump->limit, 0))
    return NULL;
  char *start = bump->avail + offset;
  ((uint16_t *)(void *)start)[-1] = (uint16_t)size;
  bump->avail += end - avail;
  bump->last = start;
  bump->tally += ACRE_BUMP_ONE + size;
  return start;
}

static __inline void *acre_bump_alloc_(acre_region region, size_t size, size_t align) {
  if (__builtin_expect(
          region == acre_rt_current.region && size - 1 < ACRE_BUMP_MAX && align - 1 < 16, 1)) {
    void *object = acre_bump_take_(acre_rt_current.normal, size, align);
    if (__builtin_expect(object != NULL, 1))
      return object;
  }
  return acre_region_alloc(region, size, align, NULL);
}

static __inline void *acre_bump_alloc_array_(acre_region region, size_t count, size_t size,
                                             size_t align) {
  /* One comparison finds an empty array, one that is too large for here, and a product that
   * overflows. */
  if (__builtin_expect(region == acre_rt_current.region && size &&
                           count - 1 < ACRE_BUMP_MAX / size && align - 1 < 16,
                       1)) {
    void *object = acre_bump_take_(acre_rt_current.normal, count * size, align);
    if (__builtin_expect(object != NULL, 1))
      return object;
  }
  return acre_region_alloc_array(region, count, size, align, NULL);
}

static __inline char *acre_bump_alloc_bytes_(acre_region region, size_t size) {
  if (__builtin_expect(region == acre_rt_current.region && size - 1 < ACRE_BUMP_MAX, 1)) {
    char *object = acre_bump_take_(acre_rt_current.pointer_free, size, 1);
    if (__builtin_expect(object != NULL, 1))
      return object;
  }
  return acre_region_alloc_bytes(region, size);
}

#endif

#ifdef __cplusplus
}
#endif
#endif
