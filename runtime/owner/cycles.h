/* SPDX-License-Identifier: MIT */
/* cycles.h - finds counted objects that nothing but a cycle of references keeps alive.  Internal to
 * the runtime.
 *
 * With ACRE_CHECK=cycles in the environment all objects that rc_new makes are in a table.  The
 * check counts, for each, the references that objects of the table hold, by their descriptors,
 * through the unique objects that they own.  An object with more references than that is held from
 * outside; what it leads to is alive because of it.  Any other object is alive only through a
 * cycle, or hangs on one.
 */
#ifndef ACRE_RUNTIME_OWNER_CYCLES_H
#define ACRE_RUNTIME_OWNER_CYCLES_H

#include <stdbool.h>

#include <acre/type.h>

extern bool acre_is_checking_cycles;

/* Checks from now on, and once more when the program exits.  Needs that no object was made. */
void acre_cycles_start(void);
/* object, of the type that site names, has its first reference; it has lost its last one. */
void acre_cycles_add(void *object, const acre_site *site);
void acre_cycles_remove(void *object);

/* For fork handlers. */
void acre_cycles_lock(void);
void acre_cycles_unlock(void);

#endif
