// A loop without a call kept table + 8 * bias only, and another thread collected the table.
// RUN: env ACRE_HEAP=whole,poison %each_level -o %t %s -- -facre-malloc=collected -pthread
// Two functions, since the second has registers left to keep the table in by chance.
#include "Inputs/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define NOINLINE __attribute__((noinline))
#define COUNT 200
#define FAR 100000000L

static atomic_bool is_done;
static volatile long changing;
static void *volatile garbage;

static void *collect_always(void *unused) {
  while (!is_done)
    acre_collected_collect();
  return unused;
}

static NOINLINE long opaque(long number) { return changing = number, changing; }

/* The newest objects of a thread are kept, and so is what calls have left on the stack. */
static NOINLINE void forget(void) {
  volatile char left[4096];
  for (size_t i = 0; i < sizeof left; i++)
    left[i] = 0;
  for (int i = 0; i < 10; i++)
    garbage = malloc(i < 5 ? COUNT * sizeof(long) : 30);
}

/* The first register of results may stay as it is.  A static function would not have two. */
struct made {
  long nothing;
  long *array;
};
extern struct made make(void);

NOINLINE struct made make(void) {
  struct made m = {0, malloc(COUNT * sizeof *m.array)};
  for (long i = 0; i < COUNT; i++)
    m.array[i] = 42;
  forget();
  return m;
}

static NOINLINE void crowded(long *table, long bias, long low, long x) {
  long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
  for (int round = 0; round < 300; round++)
    for (long i = low; i < low + COUNT; i++) {
      a += b ^ bias, b += c * 5, c ^= d + i, d += e << 1, e -= f, f ^= g + x, g += a * x;
      if (((volatile long *)table)[i + bias] != 42)
        abort();
    }
  changing = a ^ b ^ c ^ d ^ e ^ f ^ g;
}

static NOINLINE void roomy(long *table, long bias, long low) {
  for (int round = 0; round < 300; round++)
    for (long i = low; i < low + COUNT; i++)
      if (((volatile long *)table)[i + bias] != 42)
        abort();
}

int main(void) {
  pthread_t collector;
  CHECK(pthread_create(&collector, NULL, collect_always, NULL) == 0);
  long low = opaque(FAR);
  for (int i = 0; i < 1000; i++) {
    crowded(make().array, -low, low, 3);
    roomy(make().array, -low, low);
  }
  is_done = true;
  CHECK(pthread_join(collector, NULL) == 0);
}
