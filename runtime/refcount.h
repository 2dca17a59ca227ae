/* refcount.h - references to objects that are more than memory.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_REFCOUNT_H
#define ACRE_RUNTIME_REFCOUNT_H

#include <stdbool.h>
#include <stddef.h>

struct acre_ref_kind {
  size_t size;               /* of the object */
  void (*end)(void *object); /* called when the last reference is dropped, before the memory goes */
};

/* A new object of zero with one reference.  Null when memory is out.  kind is kept by reference. */
void *acre_ref_make(const struct acre_ref_kind *kind, bool is_shared);

#endif
