// With a map of its pools a program does what it did: functions at the end of a pool run in their
// order and may use it, objects come from the region of their pool, and lie below that of its
// parent; also through pointers to the pools' functions, and where a pool's address is used again.
// RUN: %each_level -o %t %s %S/Inputs/home.c -- -DCOUNTED -facre-pools=%S/Inputs/home.map -lpthread
// RUN: %acre-cc -O2 -fno-acre %s %S/Inputs/home.c -o %t.plain -lpthread && %t.plain
#include "../Inputs/check.h"
#include "Inputs/home.h"

#include <acre/pool.h>
#include <stdint.h>
#include <string.h>

struct item {
  struct item *next;
  int number;
};

static char order[16];
static pool *dying;

static void note(void *with) {
  strcat(order, with);
  // What ends may still be used, and allocated in.
  struct item *late = pool_alloc(dying, sizeof *late);
  COUNTED_ONLY(acre_region_of(late) == acre_region_of_pool(dying));
  late->number = 1;
}

static bool lies_in(const void *object, const pool *p) {
  return acre_region_of(object) == acre_region_of_pool(p);
}

static void check_places(pool *p) {
  struct item *one = pool_alloc(p, sizeof *one), *many = pool_alloc_array(p, 7, sizeof *many);
  CHECK(one->number == 0 && many[6].next == NULL);
  one->next = many;
  many[6].next = one;
  struct item *copy = pool_copy(p, one, sizeof *one);
  CHECK(copy->next == many && !pool_copy(p, NULL, 8));
  char *text = pool_printf(p, "%d and %s", 17, "more"), *bytes = pool_bytes(p, 3);
  CHECK(strcmp(text, "17 and more") == 0);
  void *aligned = pool_alloc_aligned(p, 100, 256);
  CHECK((uintptr_t)aligned % 256 == 0);
  COUNTED_ONLY(lies_in(one, p) && lies_in(many, p) && lies_in(copy, p) && lies_in(text, p) &&
               lies_in(bytes, p) && lies_in(aligned, p));
  CHECK(pool_give_back(p, pool_alloc(p, 20000)) == 0 || !acre_region_of_pool(p));
  current_pool = p;
  struct item *current = alloc_current(sizeof *current);
  COUNTED_ONLY(lies_in(current, p));
  void *(*by_pointer)(pool *, size_t) = pool_alloc;
  COUNTED_ONLY(lies_in(by_pointer(p, 8), p));
}

int main(void) {
  pool *root = pool_create(NULL), *child;
  CHECK(pool_create_at(&child, root) == 0);
  pool_tag(child, "the child");
  COUNTED_ONLY(acre_region_of_pool(root) &&
               acre_region_parent(acre_region_of_pool(child)) == acre_region_of_pool(root));
  COUNTED_ONLY(strcmp(acre_region_name(acre_region_of_pool(child)), "the child") == 0);
  check_places(root);
  check_places(child);
  dying = child;
  pool_at_end(child, note, "a");
  pool_at_end(child, note, "b");
  pool_clear(child);
  CHECK(strcmp(order, "ba") == 0);
  COUNTED_ONLY(acre_region_of_pool(child));
  check_places(child);

  // Siblings that refer to each other go together.
  pool *other = pool_create(root);
  struct item *here = pool_alloc(child, sizeof *here), *there = pool_alloc(other, sizeof *there);
  here->next = there;
  there->next = here;
  dying = child;
  pool_at_end(child, note, "c");
  pool_destroy(root);
  CHECK(strcmp(order, "bac") == 0);
  CHECK(!acre_region_of_pool(root) && !acre_region_of_pool(child));

  for (int i = 0; i < 1000; i++) {
    pool *again = pool_create(NULL);
    check_places(again);
    pool_destroy(again);
  }
  // Words of this frame may lead to some of the thousand.
  acre_region_reclaim();
  acre_stats stats;
  acre_get_stats(&stats);
  CHECK(stats.regions_live < 10);
  return 0;
}
