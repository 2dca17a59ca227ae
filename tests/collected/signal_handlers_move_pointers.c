// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,growth=256K,pause=0 %t.O2
// RUN: env ACRE_HEAP=poison,growth=256K,whole %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// A handler of the program may run at any moment of a collection, and move the only pointer to an
// object from a place that has not been searched to one that has.
#include "Inputs/check.h"
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

enum { PLACES = 4096, APART = 64, MOVES = 16, KEPT = 10000, ROUNDS = 1500, GARBAGE = 1000 };
static _Atomic(item *) places[PLACES * APART];
static atomic_int at;
static void *kept[KEPT];

static void move(int signal) {
  (void)signal;
  for (int i = 0; i < MOVES; i++) {
    int from = atomic_load(&at), to = (from + 1777) % PLACES;
    item *moved = atomic_exchange(&places[from * APART], NULL);
    atomic_store(&places[to * APART], moved);
    atomic_store(&at, to);
  }
}

static void set_timer(int microseconds) {
  struct itimerval often = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &often, NULL);
}

int main(void) {
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = move, .sa_flags = SA_RESTART}, NULL);
  places[0] = new_item(42);
  set_timer(200);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < GARBAGE; i++) {
      void **p = malloc((size_t)(100 + i % 200));
      *p = p;
      kept[(round * GARBAGE + i) % KEPT] = p;
    }
    sigprocmask(SIG_BLOCK, &alarms, NULL);
    CHECK(is_whole(places[at * APART], 42));
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
  }
  set_timer(0);
  puts("ok");
}
