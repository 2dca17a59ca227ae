/* SPDX-License-Identifier: MIT */
/* refcount.h - references to objects that are more than memory.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_OWNER_REFCOUNT_H
#define ACRE_RUNTIME_OWNER_REFCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include <acre/type.h>

struct acre_ref_kind {
  size_t size; /* of the object, whose first word is for the list of those that are dead */
  void (*end)(void *object); /* called when the last reference is dropped, before the memory goes:
                                not inside another end */
};

/* A new object of zero with one reference.  Null when memory is out.  kind is kept by reference. */
void *acre_ref_make(const struct acre_ref_kind *kind, bool is_shared);

/* Takes one reference away; true if it was the last: the object is dead. */
bool acre_ref_lose(void *p);
/* What p, which may be dead, owns; null if nothing. */
const acre_owned_type *acre_ref_owned(const void *p);
/* p's memory goes, or when its weak references have gone.  Needs p to be dead and to own nothing
 * any more. */
void acre_ref_finish(void *p);

#endif
