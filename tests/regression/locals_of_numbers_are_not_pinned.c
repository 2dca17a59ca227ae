// Locals that only functions of the C library write, and with numbers, cost a call that may delete
// nothing.  A pointer that comes there in another way is pinned.
// RUN: %acre-cc -O1 -S -emit-llvm %s -o - | FileCheck %s \
// RUN:   '--implicit-check-not=c"{{time|state}}\00"'
// RUN: %acre-cc -O0 -S -emit-llvm %s -o - | FileCheck %s \
// RUN:   '--implicit-check-not=c"{{time|state}}\00"'
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <sys/stat.h>
#include <time.h>

// CHECK-DAG: c"copied\00"
// CHECK-DAG: c"swapped\00"
// CHECK-DAG: c"stored\00"
static NOINLINE long measured(region r) deletes {
  struct timespec time;
  struct stat state;
  clock_gettime(CLOCK_MONOTONIC, &time);
  CHECK(stat("/", &state) == 0);
  node *n = new_node(r);
  n = NULL;
  opaque(n);
  DELETE_ACCEPTED(r);
  return time.tv_sec + (long)state.st_size;
}

static NOINLINE void put_by_memcpy(region r) deletes {
  struct timespec copied;
  clock_gettime(CLOCK_MONOTONIC, &copied);
  node *n = new_node(r);
  memcpy(&copied.tv_nsec, &n, sizeof n);
  n = NULL;
  DELETE_REFUSED(r);
  memcpy(&n, &copied.tv_nsec, sizeof n);
  CHECK(n->value == 42);
}

static NOINLINE void put_by_exchange(region r) deletes {
  struct timespec swapped;
  clock_gettime(CLOCK_MONOTONIC, &swapped);
  node *n = new_node(r);
  __atomic_exchange_n((node **)&swapped.tv_nsec, n, __ATOMIC_SEQ_CST);
  n = NULL;
  DELETE_REFUSED(r);
  memcpy(&n, &swapped.tv_nsec, sizeof n);
  CHECK(n->value == 42);
}

static NOINLINE void put_by_store(region r) deletes {
  struct timespec stored;
  clock_gettime(CLOCK_MONOTONIC, &stored);
  *(node **)&stored.tv_nsec = new_node(r);
  DELETE_REFUSED(r);
  node *n;
  memcpy(&n, &stored.tv_nsec, sizeof n);
  CHECK(n->value == 42);
}

int main(void) deletes {
  measured(newregion());
  region r = newregion();
  put_by_memcpy(r);
  put_by_exchange(r);
  put_by_store(r);
  DELETE_ACCEPTED(r);
  return 0;
}
