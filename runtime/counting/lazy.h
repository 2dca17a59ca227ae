/* SPDX-License-Identifier: MIT */
/* lazy.h - slots whose records stay while they hold null.  Internal to the runtime.
 *
 * The slots of a parser's value stack are given pointers and null in turn, and each time a record
 * would be made or dropped.  A slot that has lost its pointer ACRE_LAZY_PATIENCE times since lazy
 * records were last settled keeps its record: the record is marked ACRE_RECORD_LAZY, the slot is
 * listed here, and storing null or the same region's pointers changes nothing any more.
 *
 * Invariant: a lazy record names a region and is counted there like any other, so a count may be
 * too high because of it and is never too low.  Who needs exact counts has lazy records settled
 * first (acre_settle_lazy in foreign/stale.h).  A listed slot may have lost its lazy record since;
 * a lazy record whose slot a signal handler kept out of the list is an ordinary stale record.
 *
 * Only while the process has one thread do records become lazy.
 */
#ifndef ACRE_RUNTIME_COUNTING_LAZY_H
#define ACRE_RUNTIME_COUNTING_LAZY_H

#include <stdbool.h>
#include <stdint.h>

/* How often a slot drops its record before it keeps it. */
#define ACRE_LAZY_PATIENCE 7

/* Slot loses its pointer.  Whether its record should become lazy; then slot is listed.  Needs slot
 * to be aligned, and the process to have one thread.  O(1), amortized. */
bool acre_lazy_keeps(uintptr_t slot);
/* Takes a slot from the list; false if it is empty, and then all slots have patience again. */
bool acre_lazy_take(uintptr_t *slot);
/* Is no slot listed? */
bool acre_lazy_is_empty(void);

#endif
