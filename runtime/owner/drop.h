/* SPDX-License-Identifier: MIT */
/* drop.h - what dead objects own.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_OWNER_DROP_H
#define ACRE_RUNTIME_OWNER_DROP_H

#include <stddef.h>

#include <acre/type.h>

/* Empties the owning slots of an array of objects and drops what was in them, and what that owned,
 * and so on. */
void acre_drop_owned(void *objects, size_t count, const acre_owned_type *type);
/* Drops what p owns, and gives its memory up.  Needs p to have lost its last reference. */
void acre_drop_dead_reference(void *p);

#endif
