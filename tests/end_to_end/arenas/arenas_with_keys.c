// Arenas that live as long as their keys: unique and counted ones, opened again, nested, in loops,
// left by longjmp.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <acre/scope.h>
#include <setjmp.h>

struct table {
  node *first;
  int length;
};

static size_t live(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  return stats.regions_live;
}

static void add(acre_key *borrowed key, int value) {
  acre_open(r, key);
  if (!acre_root(struct table, r))
    acre_root(struct table, r) = ralloc(r, struct table);
  struct table *table = acre_root(struct table, r);
  node *fresh = new_node(r);
  fresh->value = value;
  fresh->next = table->first;
  table->first = fresh;
  table->length++;
}

static long sum(acre_key *borrowed key) {
  long total = 0;
  acre_open(r, key);
  struct table *table = acre_root(struct table, r);
  for (node *each = table ? table->first : NULL; each; each = each->next)
    total += each->value;
  return total;
}

/* The callees open what is open already. */
static long sum_nested(acre_key *borrowed key) {
  acre_open(r, key);
  struct table *table = acre_root(struct table, r);
  add(key, 1000);
  return sum(key) + table->length;
}

static jmp_buf buffer;
static NOINLINE void jumps(acre_key *borrowed key) {
  acre_open(r, key);
  node *one = new_node(r);
  opaque(&one);
  longjmp(buffer, 1);
}

static void left_by_longjmp(acre_key *borrowed key) {
  if (setjmp(buffer) == 0)
    jumps(key);
}

static void unique_key(void) {
  acre_key *unique key = acre_key_new();
  for (int i = 0; i < 10; i++) {
    if (i == 5)
      continue;
    add(key, i);
    if (i == 8)
      break;
  }
  CHECK(sum(key) == 0 + 1 + 2 + 3 + 4 + 6 + 7 + 8);
  CHECK(sum_nested(key) == 31 + 1000 + 9);
  left_by_longjmp(key);
  CHECK(sum(key) == 1031);
  acre_key_drop(key);
}

static void counted_key(void) {
  acre_key *refcounted key = acre_key_new_counted();
  acre_key *refcounted other = rc_alias(key);
  add(key, 1);
  rc_drop(key);
  add(other, 2);
  CHECK(sum(other) == 3);
  CHECK(live() == 1);
  acre_weak *unique weak = acre_weak_new(other);
  rc_drop(other);
  CHECK(live() == 0);
  acre_key *refcounted gone = acre_weak_get(acre_key, weak);
  CHECK(!gone);
  rc_drop(gone);
  acre_weak_drop(weak);
}

static void two_arenas(void) {
  acre_key *unique one = acre_key_new(), *unique two = acre_key_new();
  for (int i = 0; i < 100; i++) {
    acre_open(from, one);
    acre_open(to, two);
    node *copy = new_node(to);
    node *original = acre_root(node, from);
    copy->value = original ? original->value + 1 : 0;
    acre_root(node, to) = copy;
    acre_root(node, from) = ralloc(from, node);
    acre_root(node, from)->value = copy->value;
  }
  {
    acre_open(r, two);
    CHECK(acre_root(node, r)->value == 99);
    region below = newsubregion(r);
    (void)new_node(below);
  }
  acre_key_drop(one);
  acre_key_drop(two);
}

int main(void) deletes {
  unique_key();
  counted_key();
  two_arenas();
  acre_region_reclaim();
  CHECK(live() == 0);
  CHECK(acre_verify());
}
