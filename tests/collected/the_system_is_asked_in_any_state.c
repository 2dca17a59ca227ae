// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=growth=64K,poison,check %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// Collections go on when the program has no descriptor left, with threads and without, has given up
// its user, its root or all its descriptors, and when its first thread has ended; pages behind the
// end of a file are not read.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static item *kept;

__attribute__((noinline)) static void work(void) {
  for (unsigned long i = 0; i < 1000; i++) {
    item *i_th = new_item(i);
    i_th->next = kept;
    kept = i_th;
  }
  churn();
  for (const item *at = kept; at; at = at->next)
    CHECK(at->complement == ~at->number);
}

static void *wait_forever(void *unused) {
  for (;;)
    pause();
  return unused;
}

static void use_up_descriptors(void) {
  struct rlimit limit = {90, 90};
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  while (open("/dev/null", O_RDONLY) >= 0)
    continue;
}

static void run_out_alone(void) {
  use_up_descriptors();
  work();
}

static void run_out_with_threads(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wait_forever, NULL) == 0);
  run_out_alone();
  CHECK(waitpid(-1, NULL, 0) == -1); /* no child was left */
}

static void map_behind_the_end(void) {
  FILE *file = tmpfile();
  CHECK(file && fputs("short", file) >= 0 && fflush(file) == 0);
  char *mapped = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0);
  CHECK(mapped != MAP_FAILED);
  mapped[0] = 'S';
}

static void change_user(void) {
  map_behind_the_end();
  if (geteuid() == 0)
    CHECK(setgid(65534) == 0 && setuid(65534) == 0);
  work();
  pid_t child = fork(); /* its files belong to another user */
  if (child == 0) {
    CHECK(mmap(NULL, (size_t)1 << 32, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
    work();
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void change_root(void) {
  if (geteuid() == 0)
    CHECK(chroot("/dev") == 0 && chdir("/") == 0);
  work();
}

static void close_all(void) {
  for (int i = 0; i < 5; i++) {
    work();
    closefrom(3);
    for (int at = 3; at < 200; at++)
      CHECK(dup2(2, at) == at);
  }
}

static void *go_on(void *first) {
  CHECK(pthread_join(*(pthread_t *)first, NULL) == 0);
  work();
  _exit(0);
}

static void end_first_thread(void) {
  static pthread_t first;
  pthread_t thread;
  first = pthread_self();
  CHECK(pthread_create(&thread, NULL, go_on, &first) == 0);
  pthread_exit(NULL);
}

int main(void) {
  void (*const cases[])(void) = {run_out_alone, run_out_with_threads, change_user, change_root,
                                 close_all,     end_first_thread};
  work();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pid_t child = fork();
    if (child == 0) {
      cases[i]();
      _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    if (status != 0)
      fprintf(stderr, "case %zu: status %x\n", i, status);
    CHECK(status == 0);
  }
}
