// RUN: %acre-cc -O1 -facre-malloc=collected -pthread %s -o %t
// RUN: env ACRE_HEAP=poison,growth=256K %t
// RUN: env ACRE_HEAP=poison,growth=256K %t threads
// RUN: not --crash env ACRE_HEAP=growth=256K %t silent 2>&1 | %whole %s
// CHECK: acre: fatal: Acre cannot list the threads of the process in /proc/self/task:
// CHECK-SAME: Operation not permitted; a program with threads that have not allocated needs /proc
// CHECK-SAME: in its root, and system calls that open files there
// A program that forbids itself system calls before it allocates for the first time collects all
// the same: without userfaultfd, without the questions about pages and mappings, without reading
// memory by the kernel, and without opening files, as long as each of its threads has allocated.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <fcntl.h>
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

enum { THREADS = 3, ROUNDS = 40 };
static pthread_barrier_t have_allocated, is_forbidden;

/* Its stack has the only pointer to a list, while others collect. */
static void *keep_and_allocate(void *unused) {
  item *list = new_item(0);
  pthread_barrier_wait(&have_allocated);
  pthread_barrier_wait(&is_forbidden);
  for (unsigned long i = 1; i < ROUNDS * 1000; i++) {
    item *fresh = new_item(i);
    fresh->next = i % 1000 ? list : NULL;
    list = fresh;
  }
  for (const item *at = list; at; at = at->next)
    CHECK(is_whole(at, at->number));
  return unused;
}

/* Threads end, and others begin, while files cannot be opened. */
static void expect_threads_work(void) {
  pthread_t threads[THREADS], later;
  pthread_barrier_init(&have_allocated, NULL, THREADS + 1);
  pthread_barrier_init(&is_forbidden, NULL, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, keep_and_allocate, NULL) == 0);
  pthread_barrier_wait(&have_allocated);
  forbid(&groups[5], EPERM);
  CHECK(access("/proc/self/task", F_OK) == 0 && open("/proc/self/task", O_RDONLY) < 0);
  pthread_barrier_wait(&is_forbidden);
  work();
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_join(threads[i], NULL) == 0);
  pthread_barrier_init(&have_allocated, NULL, 1);
  pthread_barrier_init(&is_forbidden, NULL, 1);
  CHECK(pthread_create(&later, NULL, keep_and_allocate, NULL) == 0);
  work();
  CHECK(pthread_join(later, NULL) == 0);
}

int main(int count, char **arguments) {
  pthread_t thread;
  if (count > 1 && strcmp(arguments[1], "threads") == 0) {
    expect_threads_work();
    return 0;
  }
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
