/* SPDX-License-Identifier: MIT */
/* procfs.h - the files of /proc that say what memory and how many threads the process has.
 * Internal.
 *
 * The heap of the process holds them open from its start, so that it can collect when the program
 * has changed its root or its user, or has no descriptor left.  Others, and where they are not
 * held, open them each time.
 */
#ifndef ACRE_RUNTIME_PLATFORM_PROCFS_H
#define ACRE_RUNTIME_PLATFORM_PROCFS_H

#include <stdbool.h>
#include <sys/types.h>

typedef enum acre_procfs_file { FILE_MAPS, FILE_PAGEMAP, FILE_STATUS, FILE_COUNT } acre_procfs_file;

/* Opens and holds each file that is not held yet; one that cannot be opened is left for later.
 * Needs that no other thread is in here. */
void acre_procfs_hold(void);
/* A descriptor of the file for this process, to be given back with acre_procfs_close; negative if
 * the system refuses. */
int acre_procfs_open(acre_procfs_file file);
void acre_procfs_close(acre_procfs_file file, int descriptor);
/* Moves an open file to a descriptor from 64 on, because programs count on getting the lowest one;
 * closes low and returns the new one, or a negative number if there is none. */
int acre_procfs_raise(int low);

/* Which file a descriptor is of: programs close what they do not know, and get its number for
 * another one. */
typedef struct acre_procfs_identity {
  dev_t device;
  ino_t inode;
} acre_procfs_identity;
bool acre_procfs_identify(int descriptor, acre_procfs_identity *identity);
bool acre_procfs_is_still(int descriptor, const acre_procfs_identity *identity);

#define ACRE_PROCFS_STATUS_BYTES 4096
/* The text behind `name` in the status file at path; null if it has no such line.  text is room for
 * the whole file. */
const char *acre_procfs_status(const char *path, const char *name,
                               char text[ACRE_PROCFS_STATUS_BYTES]);

#endif
