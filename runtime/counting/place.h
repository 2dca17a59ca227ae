/* SPDX-License-Identifier: MIT */
/* place.h - naming places in memory for messages.  Internal to the runtime.  The functions write
   words without a newline to file descriptor fd. */
#ifndef ACRE_RUNTIME_COUNTING_PLACE_H
#define ACRE_RUNTIME_COUNTING_PLACE_H

#include <stdbool.h>

enum acre_place {
  ACRE_PLACE_OBJECT,
  ACRE_PLACE_GLOBAL,
  ACRE_PLACE_STACK,
  ACRE_PLACE_KEPT,
  ACRE_PLACE_OTHER
};
enum acre_place acre_place_of(const void *slot);
/* Does what lies there belong to a frame: on the stack of a thread, or in a region that only frames
   know (region/zombie.h)? */
bool acre_place_is_of_frame(const void *slot);
/* Is the type of what lies there known, and says that it is no pointer? */
bool acre_place_is_number(const void *slot);
/* Is it a slot of an object with a rule that a pointer outside all regions, or one into any, would
   break? */
bool acre_place_is_annotated(const void *slot);

/* Where slot lies: "field 'next' of struct entry allocated at server.c:31 in region 'table'
 * (created at server.c:9)".  value: what it holds, or is to hold. */
void acre_print_slot(int fd, const void *slot, const void *value);
/* ", stored as 'entry->next' at server.c:40 in insert,", if that is known, and whether it is.  What
   acre_print_slot can name is not named again. */
bool acre_print_stored(int fd, const void *slot, const void *value);

#endif
