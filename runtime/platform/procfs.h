/* procfs.h - the files of /proc that say what memory the process has.  Internal.
 *
 * The heap of the process holds them open from its start, so that it can collect when the program
 * has changed its root or its user, or has no descriptor left.  Others, and where they are not
 * held, open them each time.
 */
#ifndef ACRE_RUNTIME_PLATFORM_PROCFS_H
#define ACRE_RUNTIME_PLATFORM_PROCFS_H

#include <stdbool.h>
#include <sys/types.h>

typedef enum acre_procfs_file { FILE_MAPS, FILE_PAGEMAP, FILE_COUNT } acre_procfs_file;

/* Those that are not held are from now on, where that goes.  Not for two threads at once. */
void acre_procfs_hold(void);
/* A descriptor for this process, to be given back; negative where that does not go. */
int acre_procfs_open(acre_procfs_file file);
void acre_procfs_close(acre_procfs_file file, int descriptor);
/* The same file out of the way of programs that count on the lowest descriptors, which is closed
 * there; negative where that does not go. */
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
/* What follows `name` in the file of status at path, of which text is the room; null where the
 * system does not say. */
const char *acre_procfs_status(const char *path, const char *name,
                               char text[ACRE_PROCFS_STATUS_BYTES]);

#endif
