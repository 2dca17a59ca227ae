/* SPDX-License-Identifier: MIT */
/* snapshot.h - what a process has in memory now, written to a file: regions as a tree, what is in
 * them by type and allocation site, and what points into each.  `acre view` shows it
 * (docs/reference/snapshot.md).
 */
#ifndef ACRE_SNAPSHOT_H
#define ACRE_SNAPSHOT_H

#include <acre/truth.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Writes a snapshot to the file at path, in which %p stands for the number of the process.  A file
   that is there is replaced when the new one is whole; what is no regular file is written to.  All
   other threads stand still while objects are counted.  False, with a message on standard error, if
   that cannot be, or another thread is at it; the program can go on.  Not from signal handlers.
   O(objects + records). */
acre_bool acre_snapshot(const char *path);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
