/* SPDX-License-Identifier: MIT */
/* scope.h - blocks that have a region, and keys of arenas (acre/scope.h).  Internal to the runtime.
 *
 * Each thread has a list of the scopes that it is in.  A scope is also a pin without values
 * (pin.h): what is stored in the frames above it, those of callers that wait in no call that may
 * delete, is counted from then on.  So when it ends the count of its region knows all of memory,
 * and the locals of the function that it is in are pinned by the call that ends it.  Private locals
 * of callers cannot point into the region: they got their values before anyone could enter it.
 *
 * An arena is open or closed.  Invariant: while it is closed nothing outside points into it, unless
 * is_unchecked, and no thread owns its regions.
 */
#ifndef ACRE_RUNTIME_REGION_SCOPE_H
#define ACRE_RUNTIME_REGION_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include <acre/region.h>
#include <acre/scope.h>

struct acre_thread;

struct acre_region_entry;

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
/* The calling thread ends: leaves all scopes it is in.  Needs self to be that thread. */
void acre_scope_end_thread(struct acre_thread *self);

#endif
