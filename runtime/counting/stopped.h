/* SPDX-License-Identifier: MIT */
/* stopped.h - the objects of regions while the world is stopped.  Internal to the runtime.
 *
 * Other threads stand still in the midst of anything: of a new block, of an object that is given
 * back, of the end of a region.  Nothing that they may have left half done is believed: a block
 * that the page map or its own header does not confirm ends its list, a header that leads out of
 * the block ends its objects.  Pages of the window that were ever in use can be read.
 */
#ifndef ACRE_RUNTIME_COUNTING_STOPPED_H
#define ACRE_RUNTIME_COUNTING_STOPPED_H

#include "counting/object.h"
#include "counting/registry.h"

/* Calls visit with each object of region.  Needs the world stopped. */
typedef void acre_stopped_visitor(const struct acre_object *object, bool is_pointer_free,
                                  void *context);
void acre_stopped_each(const struct acre_region_entry *region, acre_stopped_visitor *visit,
                       void *context);

/* The object that was looked up last, and where the objects of its block end. */
struct acre_stopped_cursor {
  const struct acre_block *block; /* null: none was */
  const char *end;
  struct acre_object object;
  bool is_pointer_free;
};
/* Moves the cursor to the object that p points into; false if none is found.  O(objects between the
   last one and p), in a block that was not looked at last O(objects before p).  The index of starts
   is not used, which a stopped thread may be changing.  Needs the world stopped. */
bool acre_stopped_seek(struct acre_stopped_cursor *cursor, const char *p);

#endif
