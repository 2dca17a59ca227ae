/* SPDX-License-Identifier: MIT */
/* stored.h - where slots were stored last and where blocks of malloc were allocated, for messages
 * about programs built with -facre-sites.
 * Internal to the runtime.
 *
 * Each slot into which a pointer into a region was stored has an entry in a shadow memory that
 * grows with the memory that holds such slots: 16 bytes for 8.  An entry is believed only while the
 * slot holds what was stored then, because code without the option stores too.  No function here
 * takes a lock; if there is no memory a place is not known.
 */
#ifndef ACRE_RUNTIME_COUNTING_STORED_H
#define ACRE_RUNTIME_COUNTING_STORED_H

#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

/* Where slot was given the value that it holds; null if that is not known. */
const acre_rt_stored *acre_stored_find(uintptr_t slot, const void *value);
/* The pointer in one slot has been copied to another one by the runtime. */
void acre_stored_move(uintptr_t from, uintptr_t to);

/* Where the program called what gave it the block of malloc that begins at start; null if that is
   not known.  It is that of an earlier block if other code has freed that and got this one. */
const acre_rt_where *acre_allocated_find(uintptr_t start);

#endif
