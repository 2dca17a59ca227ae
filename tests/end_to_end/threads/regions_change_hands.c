// A thread builds a tree of regions and gives it to another, which goes on with it and gives it
// back; what is not closed stays.  Without the plugin nothing is counted, so nothing is refused.
// RUN: %each_level -o %t %s -- -DCOUNTED
// RUN: %acre-cc -O2 -fno-acre %s -o %t.norc && %t.norc
// RUN: %if sanitizers %{ %acre-cc -fsanitize=thread -O1 -g -DCOUNTED %s -o %t.tsan && \
// RUN:   %t.tsan %}
#include "../Inputs/check.h"

#include <acre/scope.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef COUNTED
#define REFUSED(r) CHECK(!giveregion(r))
#else
#define REFUSED(r) ((void)(r))
#endif

enum { ROUNDS = 200 };

struct tree {
  struct tree *sameregion next;
  struct tree *parentptr up;
  node *any;
  long value;
};

static node *global;
/* Relaxed: only the hand-over itself says what has been written. */
static _Atomic(region) handed, answered;

static struct tree *tree_of(region r) { return acre_root(struct tree, r); }

static NOINLINE void build(region r) {
  region child = newsubregion(r);
  struct tree *top = ralloc(r, struct tree), *low = ralloc(child, struct tree);
  low->up = top;
  top->next = ralloc(r, struct tree);
  top->any = new_node(child);
  top->value = 1;
  low->any = new_node(permanent_region);
  acre_root(struct tree, r) = top;
}

static NOINLINE void extend(region r) {
  CHECK(tree_of(r)->value == 1 && tree_of(r)->next->value == 0);
  tree_of(r)->value = 2;
  tree_of(r)->any->next = new_node(r);
  build(newsubregion(r));
}

static region await(_Atomic(region) *from) {
  region r;
  while (!(r = atomic_exchange_explicit(from, NULL, memory_order_relaxed)))
    sched_yield();
  return r;
}

static void pass(_Atomic(region) *to, region r) deletes {
  CHECK(giveregion(r));
  atomic_store_explicit(to, r, memory_order_relaxed);
}

static void *work(void *nothing) deletes {
  (void)nothing;
  for (int i = 0; i < ROUNDS; i++) {
    region r = await(&handed);
    CHECK(takeregion(r));
    extend(r);
    pass(&answered, r);
  }
  return NULL;
}

static NOINLINE void let_refer(region r, node *to) { tree_of(r)->any->next = to; }

static NOINLINE void refusals(void) deletes {
  region r = newregion(), other = newregion();
  build(r);
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  node *local = new_node(r);
  REFUSED(r);
  CHECK(local->value == 42);
  global = new_node(r);
  REFUSED(r);
  global = NULL;
  let_refer(r, new_node(other));
  REFUSED(r);
  let_refer(r, NULL);
  REFUSED(acre_region_of(tree_of(r)->any)); /* a subregion */
  CHECK(giveregion(r) && takeregion(r));
  acre_set_delete_policy(ACRE_DELETE_ABORT);
  DELETE_ACCEPTED(other);
  acre_region_set_delete_policy(r, ACRE_DELETE_SEVER);
  CHECK(deleteregion(r));
}

/* What is left by a thread that has ended is taken by another. */
static void *leave(void *nothing) {
  (void)nothing;
  region r = newregion();
  build(r);
  return r;
}

int main(void) deletes {
  pthread_t thread;
  CHECK(pthread_create(&thread, 0, work, 0) == 0);
  for (int i = 0; i < ROUNDS; i++) {
    region r = newregion();
    build(r);
    pass(&handed, r);
    r = await(&answered);
    CHECK(takeregion(r) && tree_of(r)->value == 2);
    acre_region_set_delete_policy(r, ACRE_DELETE_SEVER); /* with all below it */
    CHECK(deleteregion(r));
  }
  CHECK(pthread_join(thread, 0) == 0);
  refusals();
  void *left;
  CHECK(pthread_create(&thread, 0, leave, 0) == 0 && pthread_join(thread, &left) == 0);
  region r = left;
  CHECK(takeregion(r));
  extend(r);
  pass(&handed, r);
  CHECK(takeregion(r));
  acre_region_set_delete_policy(r, ACRE_DELETE_SEVER);
  CHECK(deleteregion(r));
}
