/* region.h - how regions of blocks and keys end.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_REGION_REGION_H
#define ACRE_RUNTIME_REGION_REGION_H

#include <stdint.h>

struct acre_region_entry;

/* What becomes of a region at its end if something refers to it.  After a longjmp nobody knows:
   what is live in the function that called setjmp is not pinned there. */
enum acre_region_ending {
  ACRE_END_OR_ABORT, /* or as the policy says */
  ACRE_END_OR_DEFER,
  ACRE_END_LATER /* whether or not: it is deferred */
};

/* Deletes region and those below it.  frame: what lies on the stack below is dead. */
void acre_region_end(struct acre_region_entry *region, enum acre_region_ending how,
                     const char *here, void *frame);
/* Aborts if something outside refers to region or those below it; then no thread owns them. */
void acre_region_close(struct acre_region_entry *region, const char *here, void *frame);
/* Region and those below it belong to thread owner. */
void acre_region_change_owner(struct acre_region_entry *region, uint32_t owner);

#endif
