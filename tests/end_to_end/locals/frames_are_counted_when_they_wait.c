// A frame's slots count while the frame waits in a call that may delete, whoever stored there, and
// not otherwise.
// RUN: %each_level -o %t %s -- -pthread
#include "../Inputs/check.h"
#include <pthread.h>
#include <setjmp.h>

struct __attribute__((packed)) tight {
  char tag;
  node *n;
};
static jmp_buf out;
static _Thread_local node *per_thread;

static NOINLINE void store(node **slot, node *n) { *slot = n; }
static NOINLINE void store_and_delete(node **slot, region r) deletes {
  store(slot, new_node(r));
  DELETE_REFUSED(r);
  *slot = 0;
  store(slot, 0);
}
static NOINLINE long result_of_call(region r) deletes {
  node *kept = 0;
  store_and_delete(&kept, r);
  store(&kept, new_node(r));
  CHECK_COUNT(r, 0);
  CHECK_HELD(r, 1);
  CHECK_COUNT(r, 0);
  return kept->value;
}
static NOINLINE void misaligned(region r) deletes {
  struct tight t[3] = {{1, new_node(r)}, {2, 0}, {3, 0}};
  t[2].n = t[0].n;
  opaque(t);
  DELETE_REFUSED(r);
  CHECK(t[0].n->value == 42 && t[2].n == t[0].n);
}
static NOINLINE void jump(region r) deletes {
  DELETE_REFUSED(r);
  longjmp(out, 1);
}
static NOINLINE long pinned_before_jump(region r) deletes {
  node *n = new_node(r);
  if (!setjmp(out))
    jump(r);
  return n->value;
}
static NOINLINE void dead_scope(region r) deletes {
  {
    node *scoped;
    store(&scoped, new_node(r));
    CHECK(scoped->value == 42);
  }
  CHECK_HELD(r, 0);
}
static void *in_thread(void *unused) deletes {
  region r = newregion();
  store(&per_thread, new_node(r));
  CHECK_COUNT(r, 1);
  per_thread = 0;
  CHECK(result_of_call(r) == 42);
  DELETE_ACCEPTED(r);
  return unused;
}

int main(void) deletes {
  region r = newregion();
  CHECK(result_of_call(r) == 42);
  misaligned(r);
  CHECK(pinned_before_jump(r) == 42);
  CHECK_COUNT(r, 0);
  dead_scope(r);
  DELETE_ACCEPTED(r);
  pthread_t thread;
  CHECK(pthread_create(&thread, 0, in_thread, 0) == 0 && pthread_join(thread, 0) == 0);
  CHECK(acre_verify());
}
