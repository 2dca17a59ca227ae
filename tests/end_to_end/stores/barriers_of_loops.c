// Loops that fill, clear, copy and turn arrays of slots, and that store in one slot: the counts are
// those of what is left.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

enum { LENGTH = 3000 }; /* several pages */
static node *table[LENGTH], *copied[LENGTH];
static struct holder {
  node *last, *before;
  long sum;
} holder;

static NOINLINE void fill(node **slots, long n, node *value) {
  for (long i = 0; i < n; i++)
    slots[i] = value;
}
static NOINLINE void clear(node **slots, long n) {
  for (long i = 0; i < n; i++)
    slots[i] = 0;
}
static NOINLINE void copy(node **restrict to, node *const *restrict from, long n) {
  for (long i = 0; i < n; i++)
    to[i] = from[i];
}
static NOINLINE void turn(node **restrict to, node *const *restrict from, long n) {
  for (long i = n; i-- > 0;)
    to[i] = from[n - 1 - i];
}
static NOINLINE void move(node **to, node **from, long n) {
  for (long i = 0; i < n; i++) {
    to[i] = from[i];
    from[i] = 0;
  }
}
static NOINLINE void last_of(struct holder *restrict h, node *const *restrict from, long n) {
  for (long i = 0; i < n; i++) {
    h->before = h->last;
    h->last = from[i];
    h->sum += i;
  }
}
static NOINLINE void one_of_two(node **a, node **b, node *v, node *w, long n) {
  for (long i = 0; i < n; i++) {
    *a = v;
    *b = w;
  }
}
static NOINLINE void until_null(node **to, node *const *from) {
  long i = 0;
  do
    to[i] = from[i];
  while (from[i++]);
}
static NOINLINE void fill_sideways(struct holder *h, long n, node *value) {
  for (long i = 0; i < n; i++)
    h[i].before = value;
}

static void whole_arrays(node *a, node *b, region r, region other) {
  fill(table, LENGTH, a);
  CHECK_COUNT(r, LENGTH);
  fill(table + 1, LENGTH - 2, b);
  CHECK_COUNT(r, 2);
  CHECK_COUNT(other, LENGTH - 2);
  copy(copied, table, LENGTH);
  CHECK_COUNT(r, 4);
  turn(copied, table, LENGTH / 2);
  CHECK(copied[LENGTH / 2 - 1] == a && copied[0] == b && copied[LENGTH - 1] == a);
  CHECK_COUNT(r, 4);
  CHECK_COUNT(other, 2 * (LENGTH - 2));
  move(copied, table, LENGTH);
  CHECK_COUNT(r, 2);
  CHECK_COUNT(other, LENGTH - 2);
  /* One array into itself. */
  move(copied + 1, copied, LENGTH - 1);
  CHECK_COUNT(r, 1);
  CHECK_COUNT(other, 0);
  clear(copied, LENGTH);
  CHECK_COUNT(r, 0);
}

static void part_of_an_array(node *a, region r) {
  node **slots = malloc(100 * sizeof *slots);
  fill(slots, 0, a);
  CHECK_COUNT(r, 0);
  fill(slots + 10, 5, a);
  CHECK_COUNT(r, 5);
  slots[20] = a;
  clear(slots + 11, 3);
  CHECK_COUNT(r, 3);
  slots[15] = 0;
  until_null(slots + 50, slots + 14);
  CHECK_COUNT(r, 4);
  free(slots);
  CHECK_COUNT(r, 0);
}

static void single_slots(node *a, node *b, region r, region other) {
  node *const from[] = {a, b, a, b, b, a, b};
  last_of(&holder, from, 7);
  CHECK(holder.before == a && holder.last == b);
  CHECK_COUNT(r, 1);
  CHECK_COUNT(other, 1);
  last_of(&holder, from, 6);
  CHECK_COUNT(r, 1);
  CHECK_COUNT(other, 1);
  one_of_two(&holder.last, &holder.before, a, b, 5);
  CHECK_COUNT(r, 1);
  CHECK_COUNT(other, 1);
  holder.before = 0;
  one_of_two(&holder.last, &holder.last, b, a, 5);
  CHECK_COUNT(r, 1);
  CHECK_COUNT(other, 0);
  holder.last = 0;
  static struct holder many[50];
  fill_sideways(many, 50, b);
  CHECK_COUNT(other, 50);
  fill_sideways(many, 50, 0);
}

static void in_regions(node *a, region r, region other) deletes {
  node **own = rarrayalloc(r, 500, node *), **foreign = rarrayalloc(other, 500, node *);
  fill(own, 500, a);
  CHECK_COUNT(r, 0);
  copy(foreign, own, 500);
  CHECK_COUNT(r, 500);
  DELETE_REFUSED(r);
  clear(foreign, 500);
  CHECK_COUNT(r, 0);
  CHECK(own[499] == a);
}

int main(void) deletes {
  region r = newregion(), other = newregion();
  node *a = new_node(r), *b = new_node(other);
  whole_arrays(a, b, r, other);
  part_of_an_array(a, r);
  single_slots(a, b, r, other);
  in_regions(a, r, other);
  a = b = 0;
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(other);
  return 0;
}
