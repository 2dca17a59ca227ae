// With -facre-frames=conservative no function says deletes, no delete is refused for what a frame
// holds, and what a frame holds can be read after the delete.  References in other memory refuse as
// ever.
// RUN: %each_level -o %t %s -- -facre-frames=conservative -DCOUNTED -lpthread
// RUN: %acre-cc -O2 -fno-acre %s -o %t.norc -lpthread && %t.norc
#include "../Inputs/check.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static node *global;
static jmp_buf jump;

/* Nothing is deleted twice, and nothing that a frame of these tests does not know is left: stale
   words of dead frames are cleared first. */
static NOINLINE void clear_stack(void) {
  volatile char dead[16384];
  for (size_t i = 0; i < sizeof dead; i++)
    dead[i] = 0;
}

static NOINLINE int delete_quietly(region r) { return deleteregion(r); }

static NOINLINE long value_is_read_after_the_delete(void) {
  region r = newregion();
  node *kept = new_node(r);
  kept->next = new_node(r);
  kept->next->value = 7;
  CHECK(delete_quietly(r));
  COUNTED_ONLY(!acre_region_is_live(r));
  COUNTED_ONLY(kept->value == 42 && kept->next->value == 7);
#ifdef COUNTED
  return kept->value;
#else
  return 42;
#endif
}

static NOINLINE void global_refuses(void) {
  region r = newregion();
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  global = new_node(r);
  COUNTED_ONLY(!deleteregion(r));
  COUNTED_ONLY(global->value == 42);
  global = NULL;
#ifdef COUNTED
  CHECK(deleteregion(r));
#endif
}

/* The kept region leads to another one, whose record is gone: that stays too. */
static NOINLINE void what_a_zombie_refers_to_stays(void) {
  region one = newregion(), other = newregion();
  node *kept = new_node(one);
  kept->next = new_node(other);
  kept->next->value = 8;
  CHECK(deleteregion(one));
  CHECK(deleteregion(other));
  COUNTED_ONLY(!acre_region_is_live(other));
  COUNTED_ONLY(kept->next->value == 8);
  opaque(kept);
}

/* A pointer up has no record. */
static NOINLINE void parent_of_a_zombie_stays(void) {
  region parent = newregion(), child = newsubregion(parent);
  node *kept = new_node(child);
  kept->next = new_node(parent);
  kept->next->value = 9;
  CHECK(deleteregion(child));
  CHECK(acre_region_is_live(parent));
  CHECK(deleteregion(parent));
  COUNTED_ONLY(kept->next->value == 9);
  opaque(kept);
}

/* What a frame stores into a zombie refuses nothing. */
static NOINLINE void zombie_that_gets_a_pointer(void) {
  region one = newregion(), other = newregion();
  node *kept = new_node(one);
  CHECK(deleteregion(one));
#ifdef COUNTED
  kept->next = new_node(other);
  kept->next->value = 10;
  CHECK(deleteregion(other));
  CHECK(kept->next->value == 10);
#else
  (void)other;
#endif
  opaque(kept);
}

static NOINLINE void clear_leaves_what_frames_hold(void) {
  region r = newregion();
  acre_region_set_name(r, "cleared");
  node *kept = new_node(r);
  kept->value = 11;
  CHECK(clearregion(r));
  CHECK(acre_region_is_live(r) && strcmp(acre_region_name(r), "cleared") == 0);
  COUNTED_ONLY(kept->value == 11);
  node *fresh = new_node(r);
  CHECK(fresh->value == 42 && fresh->next == NULL);
  COUNTED_ONLY(regionof(kept) != r && regionof(fresh) == r);
  opaque(kept);
  CHECK(deleteregion(r));
  opaque(fresh);
}

/* The optimizer knows that all of that is in r: neither pointer has a record. */
static NOINLINE node *clear_and_store(region r) {
  node *kept = new_node(r);
  kept->value = 13;
  CHECK(clearregion(r));
  node *fresh = new_node(r);
  fresh->next = kept;
  new_node(newsubregion(r))->next = kept;
  return fresh;
}

static NOINLINE void pointer_into_what_was_cleared(void) {
  region r = newregion();
  node *fresh = clear_and_store(r);
  clear_stack();
  for (int i = 0; i < 10; i++)
    CHECK(delete_quietly(newregion()));
  acre_region_reclaim();
  COUNTED_ONLY(regionof(fresh->next) != acre_region_traditional() && fresh->next->value == 13);
  CHECK(clearregion(r) && deleteregion(r));
}

static NOINLINE void clear_with_subregions(void) {
  region r = newregion(), sub = newsubregion(r);
  node *kept = new_node(sub);
  kept->next = new_node(r);
  kept->next->value = 12;
  CHECK(clearregion(r));
  COUNTED_ONLY(!acre_region_is_live(sub));
  COUNTED_ONLY(kept->next->value == 12);
  opaque(kept);
  CHECK(deleteregion(r));
}

static NOINLINE void object_given_back(void) {
  region r = newregion();
  node *kept = new_node(r);
  CHECK(acre_region_release(r, kept));
  COUNTED_ONLY(kept->value == 42);
  opaque(kept);
  CHECK(deleteregion(r));
}

static NOINLINE void array_in_a_frame(void) {
  region r = newregion();
  node *volatile all[40];
  for (int i = 0; i < 40; i++) {
    all[i] = new_node(r);
    all[i]->value = i;
  }
  CHECK(delete_quietly(r));
  for (int i = 0; i < 40; i++)
    COUNTED_ONLY(all[i]->value == i);
}

/* Only the jmp_buf, in static memory, may have the register in which `kept` is. */
static NOINLINE void value_behind_longjmp(void) {
  region r = newregion();
  node *kept = new_node(r);
  if (setjmp(jump) == 0) {
    clear_stack();
    CHECK(delete_quietly(r));
    for (int i = 0; i < 100; i++)
      CHECK(delete_quietly(newregion()));
    longjmp(jump, 1);
  }
  COUNTED_ONLY(kept->value == 42);
}

static volatile long number = 3;
static region made[3];

static NOINLINE node *make(int i) {
  made[i] = newregion();
  return new_node(made[i]);
}

static NOINLINE void delete_all_made(void) {
  for (int i = 0; i < 3; i++)
    CHECK(deleteregion(made[i]));
}

static int is_there(node *n) { return regionof(n) != acre_region_traditional() && n->value == 42; }

/* Where setjmp returned 0 the function needs all registers for something else. */
static NOINLINE void values_behind_longjmp(void) {
  node *first = make(0), *second = make(1), *third = make(2);
  if (setjmp(jump) == 0) {
    long a = number, b = number, c = number, d = number, e = number, f = number, g = number;
    delete_all_made();
    for (int i = 0; i < 100; i++)
      CHECK(delete_quietly(newregion()));
    clear_stack();
    acre_region_reclaim();
    number = a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7;
    longjmp(jump, 1);
  }
  COUNTED_ONLY(is_there(first) && is_there(second) && is_there(third));
}

/* -- Another thread's frames --------------------------------------------------------------------- */

static node *_Atomic handed;
static atomic_int stage;

static void wait_for(int wanted) {
  while (atomic_load(&stage) != wanted)
    ;
}

static void *hold(void *argument) {
  node *kept = atomic_exchange(&handed, NULL);
  atomic_store(&stage, 1);
  wait_for(2);
  COUNTED_ONLY(kept->value == 42);
  return argument;
}

static NOINLINE region make_for_other(void) {
  region r = newregion();
  atomic_store(&handed, new_node(r));
  return r;
}

static NOINLINE void value_of_another_thread(void) {
  pthread_t thread;
  region r = make_for_other();
  CHECK(pthread_create(&thread, NULL, hold, NULL) == 0);
  wait_for(1);
  clear_stack();
  CHECK(deleteregion(r));
  atomic_store(&stage, 2);
  CHECK(pthread_join(thread, NULL) == 0);
}

/* All of it goes when the frames are gone. */
static NOINLINE void nothing_is_left(void) {
  acre_stats stats;
  clear_stack();
  acre_region_reclaim();
  clear_stack();
  acre_region_reclaim();
  acre_get_stats(&stats);
  COUNTED_ONLY(stats.regions_live <= 2); /* a stale word may keep one or two */
}

int main(void) {
  CHECK(value_is_read_after_the_delete() == 42);
  global_refuses();
  what_a_zombie_refers_to_stays();
  parent_of_a_zombie_stays();
  zombie_that_gets_a_pointer();
  clear_leaves_what_frames_hold();
  pointer_into_what_was_cleared();
  clear_with_subregions();
  object_given_back();
  array_in_a_frame();
  value_behind_longjmp();
  values_behind_longjmp();
  value_of_another_thread();
  nothing_is_left();
  COUNTED_ONLY(acre_verify());
  return 0;
}
