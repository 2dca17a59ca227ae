// A child that was forked while another thread was severing found the lock of findings taken for
// ever, and its own first dangling pointer made it wait for that.
// QEMU fails where the child of a fork of several threads makes threads.
// UNSUPPORTED: foreign
// RUN: %acre-cc -O2 -pthread %s -o %t
// RUN: timeout 120 %t
#include "../end_to_end/Inputs/check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 400, PLACES = 32 };
static node *global[PLACES], *of_child;
static atomic_bool is_over;

static NOINLINE void leave_dangling(node **places, size_t count) deletes {
  region r = newregion();
  for (size_t i = 0; i < count; i++)
    places[i] = new_node(r);
  CHECK(deleteregion(r));
  for (size_t i = 0; i < count; i++)
    CHECK(places[i] == NULL || regionof(places[i]) == traditional_region);
}

static void *severing(void *unused) deletes {
  while (!atomic_load(&is_over))
    leave_dangling(global, PLACES);
  return unused;
}

int main(void) deletes {
  pthread_t thread;
  acre_set_delete_policy(ACRE_DELETE_TRAP);
  CHECK(pthread_create(&thread, NULL, severing, NULL) == 0);
  for (int i = 0; i < CHILDREN; i++) {
    const pid_t child = fork();
    if (child == 0) {
      leave_dangling(&of_child, 1);
      _exit(0);
    }
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  atomic_store(&is_over, true);
  CHECK(pthread_join(thread, NULL) == 0);
  return 0;
}
