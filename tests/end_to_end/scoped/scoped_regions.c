// A region for a block goes at every way out of the block, in functions that are not deletes.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <acre/scope.h>
#include <setjmp.h>

static acre_region last;

static size_t live(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  return stats.regions_live;
}

static long by_fall(int n) {
  acre_scoped_region(r);
  node *list = NULL;
  for (int i = 0; i < n; i++) {
    node *fresh = new_node(r);
    fresh->next = list;
    list = fresh;
  }
  long sum = 0;
  for (node *each = list; each; each = each->next)
    sum += each->value;
  last = r;
  return sum;
}

static long by_return(int n) {
  acre_scoped_region(r);
  node *one = new_node(r);
  if (n)
    return one->value + n;
  return one->value;
}

static int by_break_and_continue(void) {
  int rounds = 0;
  for (int i = 0; i < 10; i++) {
    acre_scoped_region(r);
    node *one = new_node(r);
    one->other = one;
    if (i == 3)
      continue;
    if (i == 7)
      break;
    rounds++;
  }
  return rounds;
}

static long by_goto(int n) {
  long found = 0;
  {
    acre_scoped_region(outer);
    node *kept = new_node(outer);
    {
      acre_scoped_region(inner);
      node *one = new_node(inner);
      one->next = kept; /* from inside out */
      found = one->next->value;
      if (n)
        goto out;
      found++;
    }
    found += kept->value;
  }
out:
  return found;
}

static jmp_buf buffer;
static NOINLINE void jumps(int depth) {
  acre_scoped_region(r);
  node *one = new_node(r);
  opaque(&one);
  if (depth == 0)
    longjmp(buffer, 1);
  jumps(depth - 1);
}

/* A caller's variable holds a pointer for a while. */
static NOINLINE void fills(node **out) {
  acre_scoped_region(r);
  *out = new_node(r);
  CHECK((*out)->value == 42);
  *out = NULL;
}

static NOINLINE void other_regions_pointer(node **out, node *value) {
  acre_scoped_region(r);
  (void)new_node(r);
  *out = value;
}

int main(void) deletes {
  CHECK(by_fall(100) == 4200);
  CHECK(!acre_region_is_live(last));
  CHECK(by_return(1) == 43 && by_return(0) == 42);
  CHECK(by_break_and_continue() == 6);
  CHECK(by_goto(1) == 42 && by_goto(0) == 85);
  node *mine = NULL;
  fills(&mine);
  CHECK(live() == 0);

  region r = newregion();
  other_regions_pointer(&mine, new_node(r));
  CHECK_HELD(r, 1);
  CHECK(mine->value == 42);
  CHECK_HELD(r, 0); /* mine is dead */
  mine = NULL;
  DELETE_ACCEPTED(r);

  if (setjmp(buffer) == 0)
    jumps(5);
  acre_region_reclaim();
  CHECK(live() == 0);
  CHECK(acre_verify());
}
