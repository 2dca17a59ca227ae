/* SPDX-License-Identifier: MIT */
/* describe.h - naming regions, objects and places in memory for messages.  Internal to the runtime.
   The functions write words without a newline to file descriptor fd. */
#ifndef ACRE_RUNTIME_COUNTING_DESCRIBE_H
#define ACRE_RUNTIME_COUNTING_DESCRIBE_H

#include <acre/abi.h>

struct acre_region_entry;

enum acre_place {
  ACRE_PLACE_OBJECT,
  ACRE_PLACE_GLOBAL,
  ACRE_PLACE_STACK,
  ACRE_PLACE_KEPT,
  ACRE_PLACE_OTHER
};
enum acre_place acre_place_of(const void *slot);

/* "region 'request' (created at server.c:42)" */
void acre_print_region(int fd, const struct acre_region_entry *region);
/* What p points to: "struct finfo allocated at server.c:55". */
void acre_print_object(int fd, const void *p);
/* "file:line: in function: ", or nothing for null. */
void acre_print_where(int fd, const acre_rt_where *where);
/* Where slot lies: "field 'next' of struct entry allocated at server.c:31 in region 'table'
 * (created at server.c:9)". */
void acre_print_slot(int fd, const void *slot);

#endif
