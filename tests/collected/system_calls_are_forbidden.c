// RUN: %acre-cc -O1 -facre-malloc=collected -pthread %s -o %t
// RUN: env ACRE_HEAP=poison,growth=256K %t
// RUN: not --crash env ACRE_HEAP=growth=256K %t threads 2>&1 | %whole %s
// CHECK: acre: fatal: the collector cannot list the threads of the process in /proc/self/task:
// CHECK-SAME: Operation not permitted; a program with threads needs /proc in its root, and system
// CHECK-SAME: calls that open files there
// A program that forbids itself system calls before it allocates for the first time collects all
// the same: without userfaultfd, without the questions about pages and mappings, without reading
// memory by the kernel, and without opening files as long as it has no threads.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGEMAP_SCAN 0xc0606610 /* the headers of the system may be older */
#define PROCMAP_QUERY 0xc0686611

typedef struct group {
  const char *name;
  unsigned ioctl; /* all other system calls have 0 there */
  int calls[6];
} group;

static const group groups[] = {
    {"nothing", 0, {-1}},
    {"userfaultfd", 0, {SYS_userfaultfd, -1}},
    {"PAGEMAP_SCAN", PAGEMAP_SCAN, {-1}},
    {"PROCMAP_QUERY", PROCMAP_QUERY, {-1}},
    {"reading memory", 0, {SYS_process_vm_readv, -1}},
    {"opening files", 0, {SYS_openat, SYS_openat2, -1}},
    {"all of these",
     PAGEMAP_SCAN,
     {SYS_userfaultfd, SYS_openat, SYS_openat2, SYS_process_vm_readv, SYS_mincore, -1}},
    {"random numbers and layout", 0, {SYS_getrandom, SYS_personality, -1}},
    {"processes", 0, {SYS_clone, SYS_clone3, -1}},
    {"moving pages", 0, {SYS_mremap, SYS_madvise, -1}},
};

static size_t add(struct sock_filter *to, size_t at, struct sock_filter instruction) {
  to[at] = instruction;
  return at + 1;
}

static void forbid(const group *g, int error) {
  struct sock_filter code[40];
  struct sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
  size_t at = add(
      code, 0,
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  for (const int *call = g->calls; *call >= 0; call++) {
    at = add(code, at,
             (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)*call, 0, 1));
    at = add(code, at, refuse);
  }
  if (g->ioctl) {
    at = add(code, at, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3));
    at = add(code, at,
             (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                          offsetof(struct seccomp_data, args[1])));
    at = add(code, at, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, g->ioctl, 0, 1));
    at = add(code, at, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTTY));
  }
  at = add(code, at, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  struct sock_fprog program = {(unsigned short)at, code};
  CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static item *kept;

static void work(void) {
  for (unsigned long i = 0; i < 1000; i++) {
    item *fresh = new_item(i);
    fresh->next = kept;
    kept = fresh;
  }
  for (int round = 0; round < 5; round++)
    churn();
  for (const item *at = kept; at; at = at->next)
    CHECK(at->complement == ~at->number);
}

static void expect_works(const group *g, int error) {
  pid_t child = fork();
  int status;
  if (child == 0) {
    forbid(g, error);
    work();
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  if (status)
    fprintf(stderr, "without %s: %s: status %x\n", g->name, strerror(error), (unsigned)status);
  CHECK(status == 0);
}

static void *wait_forever(void *unused) {
  for (;;)
    pause();
  return unused;
}

int main(int count, char **arguments) {
  (void)arguments;
  pthread_t thread;
  if (count > 1) {
    pthread_create(&thread, NULL, wait_forever, NULL);
    forbid(&groups[5], EPERM);
    work();
  }
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    expect_works(&groups[i], EPERM);
    expect_works(&groups[i], ENOSYS);
  }
  puts("ok");
}
