/* SPDX-License-Identifier: MIT */
/* type.h - descriptors: how an object of a C type is laid out, and where it was allocated.
 *
 * One descriptor per type, emitted by the compiler for every allocation it sees and merged across
 * translation units.  Everything that must know which words of an object are pointers walks the
 * same descriptors: the verifier, the referrer report, typed copies.  All are constant data that
 * live as long as the program.
 */
#ifndef ACRE_TYPE_H
#define ACRE_TYPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a pointer slot may hold. */
typedef enum acre_slot_rule {
  ACRE_SLOT_PLAIN = 0,       /* anything; the target region's count is kept */
  ACRE_SLOT_SAMEREGION = 1,  /* null or the holder's region */
  ACRE_SLOT_PARENTPTR = 2,   /* null or the holder's region or an ancestor */
  ACRE_SLOT_TRADITIONAL = 3, /* null or outside all regions */
  ACRE_SLOT_UNION = 4,       /* overlaid with other data: a pointer only while its record says so */
  /* Slots of region handles, which are no pointers: null, or a handle of such a region. */
  ACRE_SLOT_HANDLE = 8,
  ACRE_SLOT_HANDLE_SAMEREGION = ACRE_SLOT_HANDLE | ACRE_SLOT_SAMEREGION,
  ACRE_SLOT_HANDLE_PARENTPTR = ACRE_SLOT_HANDLE | ACRE_SLOT_PARENTPTR,
  ACRE_SLOT_HANDLE_TRADITIONAL = ACRE_SLOT_HANDLE | ACRE_SLOT_TRADITIONAL
} acre_slot_rule;

/* A run of count pointer slots, stride bytes apart, the first at byte offset of the object. */
typedef struct acre_slot {
  uint32_t offset;
  uint32_t count;
  uint32_t stride;
  uint32_t rule;    /* acre_slot_rule */
  const char *name; /* field path, e.g. "key.next" or "children" */
} acre_slot;

/* What an object owns: the unique and counted pointers in it (own.h), but for those in unions and
   flexible array members, of which nobody knows which are in use.  count slots, stride bytes apart,
   the first at byte offset. */
typedef enum acre_owned_kind {
  ACRE_OWNS_OBJECT = 0,    /* malloc's */
  ACRE_OWNS_REFERENCE = 1, /* of an object with a hidden count, also the key of an arena */
  ACRE_OWNS_WEAK = 2       /* an acre_weak */
} acre_owned_kind;
typedef struct acre_owned_type acre_owned_type;
typedef struct acre_owned_slot {
  uint32_t offset, count, stride;
  uint32_t kind;                 /* acre_owned_kind */
  const acre_owned_type *target; /* of ACRE_OWNS_OBJECT: what it owns in turn; null if nothing */
} acre_owned_slot;
struct acre_owned_type {
  uint32_t size;
  uint32_t slot_count;
  const acre_owned_slot *slots;
};

/* Slots from index flexible_first on lie in a flexible array member: they repeat every
   flexible_stride bytes to the end of the object (flexible_stride is 0 where there is none,
   flexible_first then equals slot_count). */
typedef struct acre_type {
  const char *name; /* as written in C, e.g. "struct rlist" */
  uint32_t size;    /* sizeof */
  uint32_t align;
  uint32_t slot_count;
  uint32_t flexible_first;
  uint32_t flexible_stride;
  const acre_slot *slots;
  const acre_owned_type *owned; /* null: owns nothing */
  /* For reports: null, or lines that each end with a newline.  In PATH [] stands for which of the
     COUNT; COUNT 0 means all to the end of the object.
       =NAME                             the type's name without typedefs
       #OFFSET COUNT STRIDE PATH         numbers as large as a pointer
       |OFFSET COUNT STRIDE PATH TARGET  pointers to TARGET in a union or in elements of an array */
  const char *names;
} acre_type;

/* An allocation site.  type is null where the layout is not known (compiled without acre-cc). */
typedef struct acre_site {
  const acre_type *type;
  const char *file;
  const char *function;
  uint32_t line;
} acre_site;

/* ACRE_TYPE(T): the site of this allocation of T, an address constant: it may initialize a static
 * table.  The plugin replaces the sum by the site's address; under other compilers there is none.
 *
 * ACRE_TYPE_OF_SIZE(size): the same where a program states a size.  The type is taken from how the
 * size is written, sizeof something or a number of times that; else it is not known.  size is not
 * evaluated.  So an allocator that takes sizes becomes typed in one place:
 *
 *   #define pool_alloc(p, size) pool_alloc_site((p), (size), ACRE_TYPE_OF_SIZE(size))
 */
#if defined(__ACRE__) && !defined(__cplusplus) && !defined(__OBJC__)
extern const acre_site __acre_type[];
#define ACRE_TYPE(T) (__acre_type + 0 * sizeof(__typeof__(T) *))
#define ACRE_TYPE_OF_SIZE(size) (__acre_type + 0 * (size))
#else
#define ACRE_TYPE(T) ((const acre_site *)0)
#define ACRE_TYPE_OF_SIZE(size) ((const acre_site *)0)
#endif

#ifdef __cplusplus
}
#endif
#endif
