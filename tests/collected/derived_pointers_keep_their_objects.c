// A loop that only needs table + 8 * bias kept that and not the table, which was collected in use.
// RUN: env ACRE_HEAP=growth=64K,pause=0,poison %each_level -o %t %s -- -facre-malloc=collected
// RUN: %acre-cc -Os -flto=thin -facre-malloc=collected %s -o %t.thin
// RUN: env ACRE_HEAP=growth=64K,poison %t.thin
// RUN: %acre-cc -O1 -fwrapv -facre-malloc=collected %s -o %t.wrap
// RUN: env ACRE_HEAP=growth=64K,poison %t.wrap
// In each function the only reference to its array is an argument, and the optimizer may keep
// a place outside of the array, or its distance from another one.
#include "Inputs/check.h"

#include <stdint.h>

#define NOINLINE __attribute__((noinline))
#define COUNT 200
#define FAR 100000000L

static volatile long changing;

static NOINLINE long opaque(long number) { return changing = number, changing; }
/* Calls may have left the array's address below this frame. */
static NOINLINE void scrub(void) {
  volatile char left[4096];
  for (size_t i = 0; i < sizeof left; i++)
    left[i] = 0;
}

static NOINLINE void allocate(void) {
  static long calls;
  void *volatile garbage = malloc(100);
  (void)garbage;
  if (calls++ % 70 != 2)
    return;
  scrub();
  acre_collected_collect();
}

/* A result in the first register may stay there, and callees push that register to align the stack.
   The functions that make arrays are not static: what they return would be optimized. */
struct made {
  long nothing;
  long *array;
};

extern struct made make(void);
NOINLINE struct made make(void) {
  struct made m = {0, malloc(COUNT * sizeof *m.array)};
  for (long i = 0; i < COUNT; i++)
    m.array[i] = i;
  return m;
}

static NOINLINE void with_a_bias(long *table, long bias, long low) {
  for (long i = 0; i < COUNT; i++) {
    long key = opaque(low + i);
    allocate();
    CHECK(table[key + bias] == i);
  }
}

static NOINLINE void with_a_bias_in_integers(long *table, long bias, long low) {
  for (long i = 0; i < COUNT; i++) {
    long key = opaque(low + i);
    allocate();
    CHECK(*(long *)((uintptr_t)table + sizeof(long) * (uintptr_t)(key + bias)) == i);
  }
}

static NOINLINE void in_the_middle(long *table, long bias, long low) {
  for (long i = 0; i < COUNT; i++) {
    long *middle = &table[opaque(low + i) + bias];
    allocate();
    CHECK(*middle == i);
  }
}

static NOINLINE void from_the_end(long *table, long bias, long low) {
  long *end = table + COUNT;
  for (long key = low - COUNT; key < low; key++) {
    allocate();
    CHECK(end[key + bias] == key - low + COUNT);
  }
}

static NOINLINE void in_two_dimensions(long (*rows)[10], long bias, long low) {
  for (long i = 0; i < COUNT / 10; i++)
    for (long j = 0; j < 10; j++) {
      allocate();
      CHECK(rows[opaque(low + i) + bias][(low + j) + bias] == i * 10 + j);
    }
}

static NOINLINE long recursive(long *table, long bias, long key, long left) {
  if (left == 0)
    return 0;
  allocate();
  long rest = recursive(table, bias, key + 1, left - 1);
  return rest + table[key + bias];
}

struct pair {
  long *first, *second;
};

extern struct made make_pair(void);
NOINLINE struct made make_pair(void) {
  struct pair *p = malloc(sizeof *p);
  p->first = make().array;
  p->second = make().array;
  return (struct made){0, (long *)p};
}

static NOINLINE void by_the_distance(struct pair *both) {
  struct pair p = *both;
  long *end = p.first + COUNT;
  for (long *q = p.second; p.first < end; p.first++, q++) {
    allocate();
    CHECK(*p.first == *q);
  }
}

static NOINLINE void one_of_two(struct pair *both, long bias, long low) {
  struct pair p = *both;
  long *chosen = p.first;
  for (long i = 0; i < COUNT; i++) {
    long key = opaque(low + i);
    chosen = opaque(i) % 3 ? p.first : p.second;
    long *at = chosen + key + bias;
    allocate();
    CHECK(*at == i);
  }
}

static NOINLINE void run(long low) {
  with_a_bias(make().array, -low, low);
  with_a_bias_in_integers(make().array, -low, low);
  in_the_middle(make().array, -low, low);
  from_the_end(make().array, -low, low);
  in_two_dimensions((long (*)[10])make().array, -low, low);
  CHECK(recursive(make().array, -low, low, COUNT) == COUNT * (COUNT - 1) / 2);
  by_the_distance((struct pair *)make_pair().array);
  one_of_two((struct pair *)make_pair().array, -low, low);
}

/* What is not needed any more is reclaimed all the same. */
static NOINLINE void many(void) {
  for (int i = 0; i < COUNT; i++) {
    long *table = make().array;
    CHECK(table[opaque(FAR + i) - FAR] == i);
  }
}

int main(void) {
  run(opaque(FAR));
  run(opaque(-FAR));
  many();
  CHECK(live_objects() < 50);
}
