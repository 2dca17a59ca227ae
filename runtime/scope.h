/* scope.h - blocks that have a region, and keys of arenas (acre/scope.h).  Internal to the runtime.
 *
 * Each thread has a list of the scopes that it is in.  A scope is also a pin without values (pin.h): what is stored in the
 * frames above it, those of callers that wait in no call that may delete, is counted from then on.  So when it ends the
 * count of its region knows all of memory, and the locals of the function that it is in are pinned by the call that ends
 * it.  Private locals of callers cannot point into the region: they got their values before anyone could enter it.
 *
 * An arena is open or closed.  Invariant: while it is closed nothing outside points into it, unless is_unchecked, and no
 * thread owns its regions.
 */
#ifndef ACRE_RUNTIME_SCOPE_H
#define ACRE_RUNTIME_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/region.h>
#include <acre/scope.h>

struct acre_region_slot;

struct acre_open_scope {
  uintptr_t frame; /* of the acre_scope, which is read no more when longjmp has discarded it */
  acre_region region;
  acre_key *key;    /* null: the region is the scope's own */
  const char *here; /* where it was entered */
  bool is_discarded;
};

/* longjmp leaves the frame of a pin at this address, which may be a scope. */
void acre_scope_note_discarded(uintptr_t frame);
void acre_scope_end_discarded(void);
/* The calling thread ends: leaves all scopes it is in. */
void acre_scope_end_thread(void);

/* What becomes of a region at its end if something refers to it.  After a longjmp nobody knows: what is live in the
   function that called setjmp is not pinned there. */
enum acre_region_ending {
  ACRE_END_OR_ABORT, /* or as the policy says */
  ACRE_END_OR_DEFER,
  ACRE_END_LATER /* whether or not: it is deferred */
};

/* In region.c.  frame: what lies on the stack below is dead.
 * end: deletes the region and those below it.  close: aborts if something outside refers to them; then no thread owns them. */
void acre_region_end(struct acre_region_slot *region, enum acre_region_ending how, const char *here, void *frame);
void acre_region_close(struct acre_region_slot *region, const char *here, void *frame);
void acre_region_change_owner(struct acre_region_slot *region, uint32_t owner);

#endif
