/* SPDX-License-Identifier: MIT */
/* rc.h - the interface of RC ("Language Support for Regions", PLDI 2001) under its own names.
 *
 * A program that was written for the RC compiler includes this in the place of its <regions.h>, and
 * is compiled by acre-cc.  Where RC and <acre/region.h> differ, this is RC's way: rarraycopy copies
 * into an array that exists, rstralloc aligns like malloc, and the program's entry may be called
 * region_main.  Differences that remain:
 *
 *   permanent         is a macro, and most functions are too
 *   findrefs, findgrefs, findrrefs
 *                     all report every reference to the region, with its place, to stderr
 *   deleteregion      aborts with such a report if the region is still referred to, as RC does,
 *                     unless another policy is set (acre_set_delete_policy)
 *
 * The words that Acre adds to RC's (settled, inregion, inparent) and bool stay the program's own,
 * unless it has included another header of Acre before this one, or asks for them
 * (ACRE_USE_settled: annotations.h).  Any of RC's names that the program uses otherwise can be left
 * in the same way (ACRE_NO_permanent).
 */
#ifndef ACRE_RC_H
#define ACRE_RC_H

#if !defined(ACRE_USE_settled) && !defined(ACRE_NO_settled)
#define ACRE_NO_settled
#endif
#if !defined(ACRE_USE_inregion) && !defined(ACRE_NO_inregion)
#define ACRE_NO_inregion
#endif
#if !defined(ACRE_USE_inparent) && !defined(ACRE_NO_inparent)
#define ACRE_NO_inparent
#endif
#if !defined(ACRE_USE_bool) && !defined(ACRE_NO_bool)
#define ACRE_NO_bool
#endif

#include <string.h>

#include <acre/region.h>

#if !defined(ACRE_NO_permanent) && (ACRE_SHORT_ || defined(ACRE_USE_permanent))
#define permanent acre_region_permanent()
#endif
#if !defined(ACRE_NO_region_main) && (ACRE_SHORT_ || defined(ACRE_USE_region_main))
#define region_main main
#endif
#if !defined(ACRE_NO_region_init) && (ACRE_SHORT_ || defined(ACRE_USE_region_init))
#define region_init() ((void)0)
#endif

/* -- Types as values --------------------------------------------------------------------------- */

/* What rctypeof gives is an address constant: a static table may hold it. */
typedef const acre_site *acre_rc_type;
#if !defined(ACRE_NO_type_t) && (ACRE_SHORT_ || defined(ACRE_USE_type_t))
typedef acre_rc_type type_t;
#endif
#if !defined(ACRE_NO_rctypeof) && (ACRE_SHORT_ || defined(ACRE_USE_rctypeof))
#define rctypeof(T) ACRE_TYPE(T)
#endif

/* The alignment of objects whose type is a value; RC's own is that of double. */
static __inline size_t acre_rc_alignment_(acre_rc_type type) {
  return type && type->type ? type->type->align : ACRE_ALIGNOF_(double);
}

#if !defined(ACRE_NO_typed_ralloc) && (ACRE_SHORT_ || defined(ACRE_USE_typed_ralloc))
#define typed_ralloc(r, size, type) acre_rc_alloc_((r), (size), (type))
#endif
#if !defined(ACRE_NO_typed_rarrayalloc) && (ACRE_SHORT_ || defined(ACRE_USE_typed_rarrayalloc))
#define typed_rarrayalloc(r, n, size, type) acre_rc_alloc_array_((r), (n), (size), (type))
#endif
#if !defined(ACRE_NO_typed_rarrayextend) && (ACRE_SHORT_ || defined(ACRE_USE_typed_rarrayextend))
#define typed_rarrayextend(r, old, n, size, type) \
  acre_rc_extend_array_((r), (old), (n), (size), (type))
#endif
/* to and from are of the same type, and may overlap. */
#if !defined(ACRE_NO_typed_rarraycopy) && (ACRE_SHORT_ || defined(ACRE_USE_typed_rarraycopy))
#define typed_rarraycopy(to, from, n, size, type) \
  ((void)(type), (void)memmove((to), (from), (size_t)(n) * (size)))
#endif

static __inline void *acre_rc_alloc_(acre_region r, size_t size, acre_rc_type type) {
  return acre_region_alloc(r, size, acre_rc_alignment_(type), type);
}

static __inline void *acre_rc_alloc_array_(acre_region r, size_t n, size_t size,
                                           acre_rc_type type) {
  return acre_region_alloc_array(r, n, size, acre_rc_alignment_(type), type);
}

static __inline void *acre_rc_extend_array_(acre_region r, void *old, size_t n, size_t size,
                                            acre_rc_type type) {
  return acre_region_extend_array(r, old, n, size, acre_rc_alignment_(type), type);
}

#undef rarraycopy
#if !defined(ACRE_NO_rarraycopy) && (ACRE_SHORT_ || defined(ACRE_USE_rarraycopy))
#define rarraycopy(to, from, n, T) \
  ((void)memmove((__typeof__(T) *)(to), (const __typeof__(T) *)(from), (size_t)(n) * sizeof(T)))
#endif

/* -- Bytes ------------------------------------------------------------------------------------- */

#undef rstralloc
#undef rstrextend
/* Pointer-free memory of size bytes.  All memory of a region is zero. */
#define acre_rc_bytes_(r, size) \
  ((char *)acre_region_alloc_array((r), (size), 1, ACRE_ALIGNOF_(double), ACRE_TYPE(char)))
/* old: null, or what rstralloc, rstralloc0 or rstrextend returned for the same region. */
#define acre_rc_extend_bytes_(r, old, size)                                               \
  ((char *)acre_region_extend_array((r), (void *)(old), (size), 1, ACRE_ALIGNOF_(double), \
                                    ACRE_TYPE(char)))
#if !defined(ACRE_NO_rstralloc) && (ACRE_SHORT_ || defined(ACRE_USE_rstralloc))
#define rstralloc(r, size) acre_rc_bytes_(r, size)
#endif
#if !defined(ACRE_NO_rstralloc0) && (ACRE_SHORT_ || defined(ACRE_USE_rstralloc0))
#define rstralloc0(r, size) acre_rc_bytes_(r, size)
#endif
#if !defined(ACRE_NO_rstrextend) && (ACRE_SHORT_ || defined(ACRE_USE_rstrextend))
#define rstrextend(r, old, size) acre_rc_extend_bytes_(r, old, size)
#endif
#if !defined(ACRE_NO_rstrextend0) && (ACRE_SHORT_ || defined(ACRE_USE_rstrextend0))
#define rstrextend0(r, old, size) acre_rc_extend_bytes_(r, old, size)
#endif

/* -- Out of memory, and who refers to a region ------------------------------------------------- */

typedef void (*acre_rc_nomem)(void);
#if !defined(ACRE_NO_nomem_handler) && (ACRE_SHORT_ || defined(ACRE_USE_nomem_handler))
typedef acre_rc_nomem nomem_handler;
#endif
#if !defined(ACRE_NO_nomem_h) && (ACRE_SHORT_ || defined(ACRE_USE_nomem_h))
typedef acre_rc_nomem nomem_h;
#endif

/* One for the program, wherever this header is included. */
__attribute__((weak)) acre_rc_nomem acre_rc_nomem_handler_;

static __inline acre_bool acre_rc_no_memory_(size_t bytes) {
  (void)bytes;
  if (acre_rc_nomem_handler_)
    acre_rc_nomem_handler_();
  return 0;
}

/* The function is called when memory is out; if it returns, the program ends with a message.
   Returns the function before it. */
static __inline acre_rc_nomem acre_rc_set_nomem_handler(acre_rc_nomem handler) {
  acre_rc_nomem before = acre_rc_nomem_handler_;
  acre_rc_nomem_handler_ = handler;
  acre_set_oom_handler(acre_rc_no_memory_);
  return before;
}
#if !defined(ACRE_NO_set_nomem_handler) && (ACRE_SHORT_ || defined(ACRE_USE_set_nomem_handler))
#define set_nomem_handler(handler) acre_rc_set_nomem_handler(handler)
#endif

#define acre_rc_report_(r) ((void)acre_region_report((r), 2, (size_t)-1))
#if !defined(ACRE_NO_findgrefs) && (ACRE_SHORT_ || defined(ACRE_USE_findgrefs))
#define findgrefs(r) acre_rc_report_(r)
#endif
#if !defined(ACRE_NO_findrefs) && (ACRE_SHORT_ || defined(ACRE_USE_findrefs))
#define findrefs(r, from, to) ((void)(from), (void)(to), acre_rc_report_(r))
#endif
#if !defined(ACRE_NO_findrrefs) && (ACRE_SHORT_ || defined(ACRE_USE_findrrefs))
#define findrrefs(r, from) ((void)(from), acre_rc_report_(r))
#endif

#endif
