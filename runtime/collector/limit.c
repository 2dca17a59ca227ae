/* limit.c - how much memory this process can have: the machine's, and what its control group is allowed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

#define PATH_BYTES 4096
static const char mount_point[] = "/sys/fs/cgroup";

/* The text of a small file; false if it cannot be read. */
static bool read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? -1 : read(file, text, size - 1);
  if (file >= 0)
    close(file);
  text[got > 0 ? got : 0] = 0;
  return got > 0;
}

/* The limit in directory/name; SIZE_MAX if there is none. */
static size_t limit_in(const char *directory, const char *name) {
  char path[PATH_BYTES + 64], text[64];
  if (strlen(directory) >= PATH_BYTES)
    return SIZE_MAX;
  strcat(strcat(strcpy(path, directory), "/"), name);
  if (!read_text(path, text, sizeof text) || text[0] < '0' || text[0] > '9')
    return SIZE_MAX; /* "max" */
  return strtoull(text, NULL, 10);
}

/* Version 2: the group's own limit and those of all above it. */
static size_t limit_of_groups(void) {
  char text[PATH_BYTES], path[PATH_BYTES + sizeof mount_point];
  size_t limit = SIZE_MAX;
  if (!read_text("/proc/self/cgroup", text, sizeof text))
    return limit;
  char *group = strstr(text, "0::/");
  if (!group)
    return limit_in("/sys/fs/cgroup/memory", "memory.limit_in_bytes");
  group += strlen("0::");
  group[strcspn(group, "\n")] = 0;
  strcat(strcpy(path, mount_point), group);
  for (;;) {
    size_t own = limit_in(path, "memory.max");
    limit = own < limit ? own : limit;
    char *end = strrchr(path, '/');
    if (!end || (size_t)(end - path) < sizeof mount_point - 1)
      return limit;
    *end = 0;
  }
}

size_t acre_gc_limit_of_system(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  size_t memory = pages > 0 && size > 0 ? (size_t)pages * (size_t)size : SIZE_MAX, group = limit_of_groups();
  return memory < group ? memory : group;
}
