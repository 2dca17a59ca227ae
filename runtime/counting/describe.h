/* SPDX-License-Identifier: MIT */
/* describe.h - naming regions and objects for messages.  Internal to the runtime.
   The functions write words without a newline to file descriptor fd. */
#ifndef ACRE_RUNTIME_COUNTING_DESCRIBE_H
#define ACRE_RUNTIME_COUNTING_DESCRIBE_H

#include <acre/abi.h>

struct acre_object;
struct acre_region_entry;

/* "region 'request' (created at server.c:42)" */
void acre_print_region(int fd, const struct acre_region_entry *region);
/* What p points to: "struct finfo allocated at server.c:55". */
void acre_print_object(int fd, const void *p);
/* "struct finfo allocated at server.c:55".  Needs an object. */
void acre_print_allocation(int fd, const struct acre_object *object);
/* "file:line: in function: ", or nothing for null. */
void acre_print_where(int fd, const acre_rt_where *where);

#endif
