// A signal handler may store pointers, at any moment, while the program stores pointers itself.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <signal.h>
#include <sys/time.h>

static node *volatile slots[4];
static node *volatile candidates[3];
static volatile sig_atomic_t ticks;

static void handler(int number) {
  (void)number;
  slots[ticks % 2] = candidates[ticks % 3];
  ticks++;
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  candidates[1] = new_node(r);
  candidates[2] = new_node(s);
  signal(SIGALRM, handler);
  struct itimerval every = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &every, 0);
  for (long i = 0; ticks < 200; i++)
    slots[2 + i % 2] = candidates[i % 3];
  every = (struct itimerval){{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &every, 0);
  size_t in_r = 0, in_s = 0;
  for (int i = 0; i < 4; i++) {
    in_r += slots[i] == candidates[1];
    in_s += slots[i] == candidates[2];
  }
  CHECK_COUNT(r, in_r + 1);
  CHECK_COUNT(s, in_s + 1);
  CHECK(acre_verify());
  for (int i = 0; i < 4; i++)
    slots[i] = 0;
  candidates[1] = candidates[2] = 0;
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
