/* SPDX-License-Identifier: MIT */
/* snapshot.h - ACRE_SNAPSHOT: snapshots at exit, or when a signal asks for one.  Internal to the
 * runtime.
 *
 * A signal handler may have interrupted anything, so it only leaves a note.  The snapshot is taken
 * by the next thread that passes acre_snapshot_poll, which the slow paths of regions do: where a
 * region is made, and where an allocation needs another block.
 */
#ifndef ACRE_RUNTIME_EVIDENCE_SNAPSHOT_H
#define ACRE_RUNTIME_EVIDENCE_SNAPSHOT_H

#include <stdbool.h>

extern bool acre_snapshot_is_wanted; /* atomic */

/* setting: FILE, or FILE,signal=NAME.  The program ends with a message if it is neither. */
void acre_snapshot_start(const char *setting);
void acre_snapshot_take_wanted(void);
static inline void acre_snapshot_poll(void) {
  if (__builtin_expect(__atomic_load_n(&acre_snapshot_is_wanted, __ATOMIC_RELAXED), 0))
    acre_snapshot_take_wanted();
}

#endif
