/* SPDX-License-Identifier: MIT */
/* rc.h - the interface of RC ("Language Support for Regions", PLDI 2001) under its own names.
 *
 * A program that was written for the RC compiler includes this in the place of its <regions.h>, and
 * is compiled by acre-cc.  Where RC and <acre/region.h> differ, this is RC's way: rarraycopy copies
 * into an array that exists, rstralloc aligns like malloc, and the program's entry may be called
 * region_main.  Differences that remain:
 *
 *   permanent         is a macro; a program that has another use for the word says #undef permanent
 *   findrefs, findgrefs, findrrefs
 *                     all report every reference to the region, with its place, to stderr
 *   deleteregion      aborts with such a report if the region is still referred to, as RC does,
 *                     unless another policy is set (acre_set_delete_policy)
 *
 * The words that Acre adds to RC's (settled, inregion, inparent) and bool stay the program's own,
 * unless it has included another header of Acre before this one.
 */
#ifndef ACRE_RC_H
#define ACRE_RC_H

#if !defined(ACRE_ANNOTATIONS_H)
#define ACRE_HAS_RC_WORDS_ONLY_
#endif
#if !defined(ACRE_TRUTH_H) && !defined(ACRE_NO_BOOL)
#define ACRE_NO_BOOL
#endif

#include <string.h>

#include <acre/region.h>

#if defined(ACRE_HAS_RC_WORDS_ONLY_)
#undef ACRE_HAS_RC_WORDS_ONLY_
#undef settled
#undef inregion
#undef inparent
#endif

#define permanent acre_region_permanent()
#define region_main main
#define region_init() ((void)0)

/* -- Types as values --------------------------------------------------------------------------- */

/* What rctypeof gives is an address constant: a static table may hold it. */
typedef const acre_site *type_t;
#define rctypeof(T) ACRE_TYPE(T)

/* The alignment of objects whose type is a value; RC's own is that of double. */
static __inline size_t acre_rc_alignment_(type_t type) {
  return type && type->type ? type->type->align : ACRE_ALIGNOF_(double);
}

#define typed_ralloc(r, size, type) acre_rc_alloc_((r), (size), (type))
#define typed_rarrayalloc(r, n, size, type) acre_rc_alloc_array_((r), (n), (size), (type))
#define typed_rarrayextend(r, old, n, size, type) \
  acre_rc_extend_array_((r), (old), (n), (size), (type))
/* to and from are of the same type, and may overlap. */
#define typed_rarraycopy(to, from, n, size, type) \
  ((void)(type), (void)memmove((to), (from), (size_t)(n) * (size)))

static __inline void *acre_rc_alloc_(acre_region r, size_t size, type_t type) {
  return acre_region_alloc(r, size, acre_rc_alignment_(type), type);
}

static __inline void *acre_rc_alloc_array_(acre_region r, size_t n, size_t size, type_t type) {
  return acre_region_alloc_array(r, n, size, acre_rc_alignment_(type), type);
}

static __inline void *acre_rc_extend_array_(acre_region r, void *old, size_t n, size_t size,
                                            type_t type) {
  return acre_region_extend_array(r, old, n, size, acre_rc_alignment_(type), type);
}

#undef rarraycopy
#define rarraycopy(to, from, n, T) \
  ((void)memmove((__typeof__(T) *)(to), (const __typeof__(T) *)(from), (size_t)(n) * sizeof(T)))

/* -- Bytes ------------------------------------------------------------------------------------- */

#undef rstralloc
#undef rstrextend
/* Pointer-free memory of size bytes.  All memory of a region is zero. */
#define rstralloc(r, size) \
  ((char *)acre_region_alloc_array((r), (size), 1, ACRE_ALIGNOF_(double), ACRE_TYPE(char)))
#define rstralloc0(r, size) rstralloc((r), (size))
/* old: null, or what rstralloc, rstralloc0 or rstrextend returned for the same region. */
#define rstrextend(r, old, size)                                                          \
  ((char *)acre_region_extend_array((r), (void *)(old), (size), 1, ACRE_ALIGNOF_(double), \
                                    ACRE_TYPE(char)))
#define rstrextend0(r, old, size) rstrextend((r), (old), (size))

/* -- Out of memory, and who refers to a region ------------------------------------------------- */

typedef void (*nomem_handler)(void);

/* One for the program, wherever this header is included. */
__attribute__((weak)) nomem_handler acre_rc_nomem_handler_;

static __inline acre_bool acre_rc_no_memory_(size_t bytes) {
  (void)bytes;
  if (acre_rc_nomem_handler_)
    acre_rc_nomem_handler_();
  return 0;
}

/* The function is called when memory is out; if it returns, the program ends with a message.
   Returns the function before it. */
static __inline nomem_handler set_nomem_handler(nomem_handler handler) {
  nomem_handler before = acre_rc_nomem_handler_;
  acre_rc_nomem_handler_ = handler;
  acre_set_oom_handler(acre_rc_no_memory_);
  return before;
}

#define findgrefs(r) ((void)acre_region_report((r), 2, (size_t)-1))
#define findrefs(r, from, to) ((void)(from), (void)(to), findgrefs(r))
#define findrrefs(r, from) ((void)(from), findgrefs(r))

#endif
