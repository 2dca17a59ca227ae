// What frames have pinned holds its region however many frames wait, and whether or not threads
// came or went meanwhile.
// RUN: %each_level -o %t %s -- -pthread
#include "../Inputs/check.h"
#include <pthread.h>
#include <setjmp.h>

enum { DEPTH = 3000 };
static jmp_buf out;

static NOINLINE void refuse(region r) deletes { DELETE_REFUSED(r); }

/* Every frame holds the region, each third one in memory too. */
static NOINLINE long deep(region r, node *n, int depth) deletes {
  node *in_memory[2] = {n, n};
  if (depth % 3 == 0)
    opaque(in_memory);
  if (depth == 0 || depth == DEPTH / 2)
    refuse(r);
  long sum = depth > 0 ? deep(r, new_node(r), depth - 1) : 0;
  return sum + n->value + (depth % 3 == 0 ? in_memory[1]->value : 0);
}

/* Pins and releases again and again where the notes of pending pins are full. */
static NOINLINE long wide(region r, node *n, int depth) deletes {
  long sum = 0;
  for (int i = 0; i < 2 && depth > 0; i++)
    sum += wide(r, new_node(r), depth - 1);
  return sum + n->value;
}
static NOINLINE long at_the_edge(region r, node *n, int depth) deletes {
  if (depth > 0)
    return at_the_edge(r, new_node(r), depth - 1) + n->value;
  return wide(r, new_node(r), 6) + n->value;
}

/* Made before the process has a second thread, asked about while it has, and after. */
static void *delete_own(void *unused) deletes {
  region own = newregion();
  node *n = new_node(own);
  refuse(own);
  CHECK(n->value == 42);
  DELETE_ACCEPTED(own);
  return unused;
}
static NOINLINE void run_thread(region r) deletes {
  pthread_t thread;
  CHECK(pthread_create(&thread, 0, delete_own, 0) == 0);
  refuse(r);
  CHECK(pthread_join(thread, 0) == 0);
  refuse(r);
}
static NOINLINE long around_thread(region r) deletes {
  node *n = new_node(r);
  run_thread(r);
  return n->value;
}

/* Frames that longjmp discards hold nothing, those above it do. */
static NOINLINE long jump_from(region r, node *n, int depth) deletes {
  if (depth == 0)
    longjmp(out, 1);
  return jump_from(r, new_node(r), depth - 1) + n->value;
}
static NOINLINE long jumps(region r, region s) deletes {
  node *n = new_node(r);
  if (!setjmp(out))
    jump_from(s, new_node(s), 400);
  CHECK_COUNT(s, 0);
  refuse(r);
  return n->value;
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  for (int round = 0; round < 2; round++) {
    CHECK(deep(r, new_node(r), DEPTH) == 42L * (DEPTH + 1 + DEPTH / 3 + 1));
    for (int depth = 240; depth < 264; depth += 3)
      CHECK(at_the_edge(r, new_node(r), depth) == 42L * (depth + 1 + 127));
    CHECK(jumps(r, s) == 42);
    CHECK(around_thread(r) == 42);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(s, 0);
  }
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
