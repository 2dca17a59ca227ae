// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t
// RUN: env ACRE_HEAP=growth=64K %t 1
// RUN: env ACRE_HEAP=growth=64K,pause=0,poison,check %t 2 40
// RUN: env ACRE_HEAP=growth=256K,increment=512 %t 3
// RUN: env ACRE_HEAP=growth=64K,whole,poison %t 4
// RUN: %t 5
// Threads allocate, free, resize and hand over objects of all sizes at random, and go on to hold
// some that were freed, in memory of several kinds.  A model knows of each object that is held
// where it is and what is in it: no two overlap, be they freed or not, and what was freed is not
// written but cleared.
#include "Inputs/check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

enum { THREADS = 4, SLOTS = 400, STALE = 150, SHARED = 64, OPERATIONS = 1000 };

typedef struct block {
  size_t size; /* with this, behind which bytes of one value follow */
  unsigned char value;
  _Atomic(int) owners; /* slots that hold it and have not freed it */
  unsigned char bytes[];
} block;

/* Where a thread holds what it has freed: its numbers tell what must be there. */
typedef struct stale {
  block *where;
  uintptr_t hidden; /* the same, complemented */
  size_t size;
  unsigned char value;
} stale;

typedef struct worker {
  uint64_t state;
  block **slots;  /* mapped */
  stale *stale;   /* in the heap */
  long operations;
} worker;

static _Atomic(block *) shared[SHARED];
static unsigned long seed;

static uint32_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static size_t random_size(uint64_t *state) {
  uint32_t kind = next_random(state) % 100;
  size_t most = kind < 70   ? 200
                : kind < 90 ? 2000
                : kind < 98 ? 20000
                : kind < 99 ? 200000
                            : 900000;
  return sizeof(block) + next_random(state) % most;
}

static void fill(block *b, size_t size, unsigned char value) {
  b->size = size;
  b->value = value;
  memset(b->bytes, value, size - sizeof *b);
}

/* Some of it, from a place that differs. */
static int is_filled(const block *b, size_t size, unsigned char value) {
  size_t bytes = size - sizeof *b, step = bytes / 50 + 1;
  for (size_t at = 0; at < bytes; at += step)
    if (b->bytes[at] != value)
      return 0;
  return bytes == 0 || b->bytes[bytes - 1] == value;
}

static void expect(const block *b) {
  if (b)
    CHECK(is_filled(b, b->size, b->value));
}

static block *make(worker *w) {
  size_t size = random_size(&w->state);
  unsigned char value = (unsigned char)next_random(&w->state);
  block *b;
  switch (next_random(&w->state) % 8) {
  case 0:
    b = calloc(1, size);
    CHECK(is_filled(b, size, 0) && b->size == 0);
    break;
  case 1:
    b = aligned_alloc(64, size);
    CHECK((uintptr_t)b % 64 == 0);
    break;
  default:
    b = malloc(size);
  }
  fill(b, size, value);
  return b;
}

/* Frees it, and perhaps remembers where it was: then it must stay as it is. */
static void release(worker *w, block *b) {
  if (!b)
    return;
  expect(b);
  stale *s = &w->stale[next_random(&w->state) % STALE];
  if (next_random(&w->state) % 4 == 0)
    *s = (stale){b, ~(uintptr_t)b, b->size, b->value};
  free(b);
}

/* A collection that finds it clears it, perhaps just now. */
static int is_left(const block *b, size_t size, unsigned char value) {
  size_t bytes = size - sizeof *b, step = bytes / 50 + 1;
  for (size_t at = 0; at < bytes; at += step)
    if (b->bytes[at] != value && b->bytes[at] != 0)
      return 0;
  return 1;
}

static void expect_stale(const worker *w) {
  for (int i = 0; i < STALE; i++) {
    const stale *s = &w->stale[i];
    if (!s->where)
      continue;
    CHECK((uintptr_t)s->where == ~s->hidden);
    CHECK(is_left(s->where, s->size, s->value));
  }
}

static void resize(worker *w, block **slot) {
  if (!*slot)
    return;
  expect(*slot);
  size_t old = (*slot)->size, size = random_size(&w->state);
  unsigned char value = (*slot)->value;
  block *b = realloc(*slot, size);
  CHECK(is_filled(b, old < size ? old : size, value));
  fill(b, size, value);
  *slot = b;
}

static void *work(void *argument) {
  worker *w = argument;
  for (long i = 0; i < w->operations; i++) {
    block **slot = &w->slots[next_random(&w->state) % SLOTS];
    switch (next_random(&w->state) % 8) {
    case 0:
      resize(w, slot);
      break;
    case 1: {
      block *b = atomic_exchange(&shared[next_random(&w->state) % SHARED], *slot);
      expect(b);
      *slot = b;
      break;
    }
    default:
      release(w, *slot);
      *slot = next_random(&w->state) % 3 ? make(w) : NULL;
    }
    if (i % 500 == 0)
      expect_stale(w);
  }
  expect_stale(w);
  return NULL;
}

int main(int count, char **arguments) {
  seed = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
  long operations = OPERATIONS * (count > 2 ? atol(arguments[2]) : 200) / 10;
  printf("seed %lu\n", seed);
  worker workers[THREADS];
  pthread_t threads[THREADS];
  for (unsigned t = 0; t < THREADS; t++) {
    block **slots = mmap(NULL, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    workers[t] = (worker){.state = seed * 1000 + t,
                          .slots = slots,
                          .stale = calloc(STALE, sizeof(stale)),
                          .operations = operations};
    CHECK(pthread_create(&threads[t], NULL, work, &workers[t]) == 0);
  }
  for (unsigned t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
  for (unsigned t = 0; t < THREADS; t++)
    expect_stale(&workers[t]);
  acre_heap_stats stats;
  acre_collected_get_stats(&stats);
  printf("%llu collections\n", (unsigned long long)stats.collections);
  CHECK(acre_collected_check());
}
