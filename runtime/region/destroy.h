/* SPDX-License-Identifier: MIT */
/* destroy.h - the end of regions and of objects to which nothing refers.  Internal to the runtime.
 *
 * Invariant: what is gone leaves no record, pin, child or page that names it, and what its objects
 * owned has gone with it.
 */
#ifndef ACRE_RUNTIME_REGION_DESTROY_H
#define ACRE_RUNTIME_REGION_DESTROY_H

#include <stdint.h>

struct acre_condemned;
struct acre_object;
struct acre_region_entry;

/* What regions that are gone had allocated. */
struct acre_dead_totals {
  int64_t objects, bytes_requested;
};
extern struct acre_dead_totals acre_dead_totals;

/* Its members are gone; but of a set that is about a clear, the region that is cleared is empty,
 * and as it was in all else.  Needs a set that may go. */
void acre_destroy(struct acre_condemned *set, const char *here);
/* Object is gone.  Needs an object of region. */
void acre_destroy_object(struct acre_region_entry *region, const struct acre_object *object);

#endif
