/* SPDX-License-Identifier: MIT */
/* memory_limit.c - see memory_limit.h.  Nothing here allocates: heaps are made wherever a program
 * likes. */
#define _GNU_SOURCE
#include "platform/memory_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/kernel.h"

/* A file of one read; false if it cannot be read. */
static bool read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  size_t used = 0;
  for (ssize_t got; used + 1 < size && (got = read(file, text + used, size - 1 - used)) != 0;) {
    if (got < 0 && errno != EINTR)
      break;
    used += got > 0 ? (size_t)got : 0;
  }
  close(file);
  text[used] = '\0';
  return used > 0;
}

/* The least limit of group and of the groups above it.  In a container those outside are not
 * visible: then of those that are. */
static uint64_t least_above(const char *root, char *group, const char *name) {
  uint64_t least = UINT64_MAX;
  for (;;) {
    char path[2 * PATH_MAX], text[64];
    if (snprintf(path, sizeof path, "%s%s/%s", root, group, name) < (int)sizeof path &&
        read_text(path, text, sizeof text) && *text >= '0' && *text <= '9') {
      uint64_t limit = strtoull(
          text, NULL, 10); /* version 2 says "max" where there is none, version 1 a huge number */
      least = limit < least ? limit : least;
    }
    char *last = strrchr(group, '/');
    if (!last)
      return least;
    *last = '\0';
  }
}

uint64_t acre_memory_limit_of_groups(const char *membership, const char *mount) {
  char text[4 * PATH_MAX];
  uint64_t least = UINT64_MAX;
  if (!read_text(membership, text, sizeof text))
    return least;
  char *rest = text;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    /* number:controllers:group; of version 2 the controllers are empty. */
    char *controllers = strchr(line, ':'),
         *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
      continue;
    *group++ = '\0';
    char root[PATH_MAX];
    bool is_second = controllers[1] == '\0', is_memory = false;
    for (char *each, *names = controllers + 1; !is_second && (each = strsep(&names, ",")) != NULL;)
      is_memory |= strcmp(each, "memory") == 0;
    if (!is_second && !is_memory)
      continue;
    snprintf(root, sizeof root, is_second ? "%s" : "%s/memory", mount);
    if (strcmp(group, "/") == 0)
      *group = '\0';
    uint64_t limit = least_above(root, group, is_second ? "memory.max" : "memory.limit_in_bytes");
    least = limit < least ? limit : least;
  }
  return least;
}

uint64_t acre_memory_limit(void) {
  uint64_t groups = acre_memory_limit_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
  uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  return groups < machine ? groups : machine;
}

uint64_t acre_address_space_limit(void) {
  struct rlimit limit;
  uint64_t least = UINT64_MAX;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    least = limit.rlim_cur;
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < least)
    least = limit.rlim_cur;
  return least;
}
