/* SPDX-License-Identifier: MIT */
/* known.h - dangling pointers that were met before.  Internal to the runtime.
 *
 * A server that leaves a pointer behind does so with each request.  To say in words where it lay
 * takes a hundred times as long as to sever it, so it is said once: a pointer is taken for known if
 * the same delete severed one that lay in the same variable, or member of the objects of the same
 * allocation, and led to objects of the same allocation in a region of the same origin.  Of memory
 * whose type is not known, and of malloc's, so many places are told apart, and no more.
 */
#ifndef ACRE_RUNTIME_REGION_KNOWN_H
#define ACRE_RUNTIME_REGION_KNOWN_H

#include <stdint.h>

struct acre_known_finding {
  uint64_t key;    /* 0: not used */
  uint32_t logged; /* its number in the log (evidence/log.h), or 0 */
  uint32_t others; /* in memory without a type: how many places were told apart */
  void *trap;      /* one that was made for it (trap.h), or null */
};

/* What is remembered of slot, which holds value, a pointer into a region, when that is deleted at
 * here; null when there is no more room.  Never moves.  One thread at a
 * time may call this, and use what it returns. */
struct acre_known_finding *acre_known_finding_of(uintptr_t slot, const void *value,
                                                 const char *here);

#endif
