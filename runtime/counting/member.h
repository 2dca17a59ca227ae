/* SPDX-License-Identifier: MIT */
/* member.h - what C calls a word of an object or variable.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_COUNTING_MEMBER_H
#define ACRE_RUNTIME_COUNTING_MEMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <acre/type.h>

struct acre_member {
  const char *path; /* of path_length characters; in it [] stands for the index; 0: no name */
  size_t path_length;
  bool is_array; /* the object is an array of its type */
  size_t element;
  bool is_run; /* the member is an array */
  size_t index;
  bool is_number; /* no pointer, by its type */
};

/* The member at offset of size bytes of type.  value, what is there or is to be, chooses among the
   members of a union.  False if the type does not say. */
bool acre_member_find(const acre_type *type, size_t size, size_t offset, const void *value,
                      struct acre_member *member);
/* "inner.links[1]" */
void acre_member_print(int fd, const struct acre_member *member);

#endif
