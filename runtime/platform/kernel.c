/* SPDX-License-Identifier: MIT */
/* kernel.c - see kernel.h. */
#define _GNU_SOURCE
#include "platform/kernel.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/kernel_call.h"
#include "platform/vdso.h"

long syscall(long number, ...) {
  va_list list;
  long a[6];
  va_start(list, number);
  for (size_t i = 0; i < sizeof a / sizeof *a; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  return acre_kernel_result(acre_kernel_ask(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

/* -- Files ------------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_openat, AT_FDCWD, (long)path, flags, (long)mode, 0, 0));
}

int close(int file) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_close, file, 0, 0, 0, 0, 0));
}

ssize_t read(int file, void *to, size_t size) {
  return acre_kernel_result(acre_kernel_ask(SYS_read, file, (long)to, (long)size, 0, 0, 0));
}

ssize_t pread(int file, void *to, size_t size, off_t at) {
  return acre_kernel_result(acre_kernel_ask(SYS_pread64, file, (long)to, (long)size, at, 0, 0));
}

ssize_t write(int file, const void *from, size_t size) {
  return acre_kernel_result(acre_kernel_ask(SYS_write, file, (long)from, (long)size, 0, 0, 0));
}

off_t lseek(int file, off_t to, int whence) {
  return acre_kernel_result(acre_kernel_ask(SYS_lseek, file, to, whence, 0, 0, 0));
}

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return (int)acre_kernel_result(acre_kernel_ask(SYS_fcntl, file, command, argument, 0, 0, 0));
}

int ioctl(int file, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  long argument = va_arg(list, long);
  va_end(list);
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_ioctl, file, (long)request, argument, 0, 0, 0));
}

int fstat(int file, struct stat *to) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_fstat, file, (long)to, 0, 0, 0, 0));
}

int stat(const char *restrict path, struct stat *restrict to) {
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_newfstatat, AT_FDCWD, (long)path, (long)to, 0, 0, 0));
}

int lstat(const char *restrict path, struct stat *restrict to) {
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_newfstatat, AT_FDCWD, (long)path, (long)to, AT_SYMLINK_NOFOLLOW, 0, 0));
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
  return acre_kernel_result(
      acre_kernel_ask(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)size, 0, 0));
}

int unlink(const char *path) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0));
}

int pipe2(int ends[2], int flags) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_pipe2, (long)ends, flags, 0, 0, 0, 0));
}

int pipe(int ends[2]) { return pipe2(ends, 0); }

/* -- Memory ------------------------------------------------------------------------------------ */

void *mmap(void *wish, size_t size, int rights, int flags, int file, off_t at) {
  return (void *)acre_kernel_result(
      acre_kernel_ask(SYS_mmap, (long)wish, (long)size, rights, flags, file, at));
}

int munmap(void *start, size_t size) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_munmap, (long)start, (long)size, 0, 0, 0, 0));
}

void *mremap(void *start, size_t old, size_t size, int flags, ...) {
  va_list list;
  va_start(list, flags);
  void *to = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
  va_end(list);
  return (void *)acre_kernel_result(
      acre_kernel_ask(SYS_mremap, (long)start, (long)old, (long)size, flags, (long)to, 0));
}

int mprotect(void *start, size_t size, int rights) {
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_mprotect, (long)start, (long)size, rights, 0, 0, 0));
}

int madvise(void *start, size_t size, int advice) {
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_madvise, (long)start, (long)size, advice, 0, 0, 0));
}

int mincore(void *start, size_t size, unsigned char *residents) {
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_mincore, (long)start, (long)size, (long)residents, 0, 0, 0));
}

ssize_t process_vm_readv(pid_t process, const struct iovec *local, unsigned long locals,
                         const struct iovec *remote, unsigned long remotes, unsigned long flags) {
  return acre_kernel_result(acre_kernel_ask(SYS_process_vm_readv, process, (long)local,
                                            (long)locals, (long)remote, (long)remotes,
                                            (long)flags));
}

ssize_t process_vm_writev(pid_t process, const struct iovec *local, unsigned long locals,
                          const struct iovec *remote, unsigned long remotes, unsigned long flags) {
  return acre_kernel_result(acre_kernel_ask(SYS_process_vm_writev, process, (long)local,
                                            (long)locals, (long)remote, (long)remotes,
                                            (long)flags));
}

/* -- Processes and threads --------------------------------------------------------------------- */

pid_t getpid(void) { return (pid_t)acre_kernel_ask(SYS_getpid, 0, 0, 0, 0, 0, 0); }

pid_t gettid(void) { return (pid_t)acre_kernel_ask(SYS_gettid, 0, 0, 0, 0, 0, 0); }

pid_t waitpid(pid_t process, int *status, int options) {
  return (pid_t)acre_kernel_result(
      acre_kernel_ask(SYS_wait4, process, (long)status, options, 0, 0, 0));
}

int sched_yield(void) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_sched_yield, 0, 0, 0, 0, 0, 0));
}

int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_sigaltstack, (long)stack, (long)old, 0, 0, 0, 0));
}

int personality(unsigned long persona) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_personality, (long)persona, 0, 0, 0, 0, 0));
}

int getrlimit(__rlimit_resource_t which, struct rlimit *to) {
  return (int)acre_kernel_result(acre_kernel_ask(SYS_prlimit64, 0, (long)which, 0, (long)to, 0, 0));
}

void _exit(int status) {
  for (;;)
    acre_kernel_ask(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

/* -- Time -------------------------------------------------------------------------------------- */

#if defined(__aarch64__)
#define CLOCK_FUNCTION "__kernel_clock_gettime"
#else
#define CLOCK_FUNCTION "__vdso_clock_gettime"
#endif

typedef int clock_function(clockid_t clock, struct timespec *now);

/* Where the kernel has no function for it. */
static int ask_clock(clockid_t clock, struct timespec *now) {
  return (int)acre_kernel_ask(SYS_clock_gettime, clock, (long)now, 0, 0, 0, 0);
}

/* A system call would take ten times as long. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  static clock_function *found;
  clock_function *function = __atomic_load_n(&found, __ATOMIC_RELAXED);
  if (!function) {
    function = (clock_function *)acre_vdso_find(CLOCK_FUNCTION);
    function = function ? function : ask_clock;
    __atomic_store_n(&found, function, __ATOMIC_RELAXED);
  }
  return (int)acre_kernel_result(function(clock, now));
}
