/* SPDX-License-Identifier: MIT */
/* procfs.c - see procfs.h.
 *
 * Invariant: a held descriptor is used only if it still is what was opened, because programs close
 * what they do not know, and only in the process that opened it, because after a fork the file
 * answers for the parent: *is_ours is zero in the child. No directory is held: a process that
 * confines itself by chroot could leave by it.
 */
#define _GNU_SOURCE
#include "platform/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"

#define DESCRIPTOR_MIN 64

typedef struct held {
  int descriptor;
  acre_procfs_identity identity;
} held;

static held files[FILE_COUNT];
static uint32_t *is_ours;

/* A thread's files answer until it ends.  Those of the process are its first thread's: opened
   before that ends they always answer, opened later never. */
static int open_of_thread(acre_procfs_file file) {
  static const char *const paths[] = {"/proc/thread-self/maps", "/proc/thread-self/pagemap",
                                      "/proc/thread-self/status"};
  return open(paths[file], O_RDONLY | O_CLOEXEC);
}
static int open_of_process(acre_procfs_file file) {
  static const char *const paths[] = {"/proc/self/maps", "/proc/self/pagemap", "/proc/self/status"};
  return open(paths[file], O_RDONLY | O_CLOEXEC);
}

static bool is_answering(acre_procfs_file file, int descriptor) {
  uint64_t word;
  uintptr_t page = (uintptr_t)&word / (size_t)sysconf(_SC_PAGESIZE);
  return pread(descriptor, &word, sizeof word,
               file == FILE_PAGEMAP ? (off_t)(page * sizeof word) : 0) == sizeof word;
}

bool acre_procfs_identify(int descriptor, acre_procfs_identity *identity) {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return false;
  *identity = (acre_procfs_identity){status.st_dev, status.st_ino};
  return true;
}

bool acre_procfs_is_still(int descriptor, const acre_procfs_identity *identity) {
  acre_procfs_identity now;
  return acre_procfs_identify(descriptor, &now) && now.inode == identity->inode &&
         now.device == identity->device;
}

static bool is_still(const held *f) {
  return f->descriptor && acre_procfs_is_still(f->descriptor, &f->identity);
}

static bool is_held(acre_procfs_file file) { return is_ours && *is_ours && is_still(&files[file]); }

int acre_procfs_raise(int low) {
  int high = low < 0 ? low : fcntl(low, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);
  if (low >= 0)
    close(low);
  return high;
}

static void hold(acre_procfs_file file) {
  acre_procfs_identity opened;
  int high = acre_procfs_raise(open_of_process(file));
  if (high < 0)
    return;
  /* The first thread runs: there is no need to look, which takes longer than to open. */
  if ((acre_os_is_first_thread() || is_answering(file, high)) &&
      acre_procfs_identify(high, &opened))
    files[file] = (held){high, opened};
  else
    close(high);
}

/* In the child of a fork: the parent's. */
static void drop_all(void) {
  for (int i = 0; i < FILE_COUNT; i++) {
    if (is_still(&files[i]))
      close(files[i].descriptor);
    files[i] = (held){0};
  }
}

static void mark_as_ours(void) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  if (!is_ours) {
    uint32_t *mark = acre_os_table(size);
    if (!mark)
      return;
    if (madvise(mark, size, MADV_WIPEONFORK) != 0) {
      acre_os_unreserve(mark, size);
      return;
    }
    is_ours = mark;
  } else if (!*is_ours) {
    drop_all();
  }
  *is_ours = true;
}

void acre_procfs_hold(void) {
  static bool is_in_here;
  ACRE_ASSERT(!__atomic_exchange_n(&is_in_here, true, __ATOMIC_ACQUIRE));
  int saved_errno = errno;
  mark_as_ours();
  for (int i = 0; i < FILE_COUNT && is_ours; i++)
    if (!is_held(i))
      hold(i);
  errno = saved_errno;
  ACRE_ASSERT(__atomic_exchange_n(&is_in_here, false, __ATOMIC_RELEASE));
}

int acre_procfs_open(acre_procfs_file file) {
  if (is_held(file))
    return files[file].descriptor;
  int opened = open_of_thread(file);
  if (opened == files[file].descriptor) /* the program had closed it */
    files[file] = (held){0};
  return opened;
}

/* What was held stays, even if the program has closed it by now: it may be another file of the
 * program's. */
void acre_procfs_close(acre_procfs_file file, int descriptor) {
  if (descriptor >= 0 && descriptor != files[file].descriptor)
    close(descriptor);
}

const char *acre_procfs_status(const char *path, const char *name,
                               char text[ACRE_PROCFS_STATUS_BYTES]) {
  int status = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = status < 0 ? 0 : read(status, text, ACRE_PROCFS_STATUS_BYTES - 1);
  if (status >= 0)
    close(status);
  text[size > 0 ? size : 0] = 0;
  const char *found = strstr(text, name);
  return found ? found + strlen(name) : NULL;
}
