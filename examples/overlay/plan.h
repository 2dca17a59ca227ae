/* SPDX-License-Identifier: MIT */
/* plan.h - a configuration: operations on packets, each with those that get its packets next,
 * without cycles.
 *
 * A plan is read from a text of lines "NAME KIND [ARGUMENT] [-> NAME...]".  It is the root of an
 * arena of its own, whose key is dropped when another plan takes its place.  Nothing outside points
 * to its operations: ports know theirs by number.
 */
#ifndef OVERLAY_PLAN_H
#define OVERLAY_PLAN_H

#include <stdint.h>

#include "port.h"

enum { OPERATIONS_MAX = 128, SUCCESSORS_MAX = 8 };

struct streambuff;

enum operation_kind {
  OPERATION_PORT,    /* packets come in or go out: the argument says where */
  OPERATION_NUMBER,  /* puts a number in front, 4 bytes, the most significant first: 0, 1, 2... */
  OPERATION_STRIP,   /* takes so many bytes off the front */
  OPERATION_PREPEND, /* puts a text in front */
  OPERATION_XOR,     /* of each byte with a number */
  OPERATION_EVERY,   /* passes one packet of so many on */
  OPERATION_SPLIT,   /* into packets of at most so many bytes */
  OPERATION_JOIN     /* packets, until there are so many bytes */
};

struct operation {
  enum operation_kind kind;
  enum { VISIT_NONE, VISIT_BEGUN, VISIT_DONE } visit; /* when cycles are looked for */
  unsigned line;
  const char *sameregion name;
  const char *sameregion text;
  uint64_t argument, packets; /* packets: that came so far */
  struct port *refcounted port;
  struct streambuff *unique held; /* by a join */
  char *sameregion successors;    /* their names, until they are known */
  size_t next_count;
  struct operation *sameregion next[SUCCESSORS_MAX];
};

struct plan {
  size_t count;
  struct operation *sameregion operations[OPERATIONS_MAX];
};

/* Null, with a message on stderr, if the file cannot be read or is wrong.  Ports are not opened. */
struct plan *plan_read(region memory, const char *path);
/* Gives back what the plan holds and regions do not free: ports and packets. */
void plan_drop(struct plan *plan);

#endif
