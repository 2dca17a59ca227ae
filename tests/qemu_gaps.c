/* qemu_gaps.c - what old versions of QEMU have wrong of a process, for tests that run by it.
 *
 * Preloaded into programs of another machine.  QEMU makes the files of /proc/self of its own, but
 * those of a thread are the emulator's, and so is pagemap, which is about other addresses then.
 * And it puts all that a program has at low addresses, where Linux gives 47 bits of them or more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char of_thread[] = "/proc/thread-self/";

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, int) : 0;
  va_end(rest);
  char of_process[256];
  const size_t length = strlen(path), name = sizeof of_thread - 1;
  if (strncmp(path, "/proc/", 6) == 0 && length > 8 && strcmp(path + length - 8, "/pagemap") == 0) {
    errno = ENOENT;
    return -1;
  }
  if (strncmp(path, of_thread, name) == 0) {
    snprintf(of_process, sizeof of_process, "/proc/self/%s", path + name);
    path = of_process;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

unsigned long getauxval(unsigned long type) {
  unsigned long (*next)(unsigned long) = dlsym(RTLD_NEXT, "getauxval");
  return type == AT_RANDOM ? (1ul << 47) - 4096 : next(type);
}
