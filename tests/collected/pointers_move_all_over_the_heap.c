// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=growth=256K,pause=0,poison %t.O2 6 2
// RUN: env ACRE_HEAP=growth=512K,increment=16K,poison %t.O2 6 3
// RUN: env ACRE_HEAP=growth=256K,pause=0,poison,check %t.O2 1 4
// The only pointer to an object goes again and again to another page, of thousands, faster than a
// collection can look at what was written: passes over the heap follow one another, and stops that
// find too much give up.  Arguments: megabytes of holders, seed.
#include "Inputs/check.h"
#include <pthread.h>

enum { THREADS = 2, ROUNDS = 6, HOLDER_SLOTS = 29 };

/* Holders are of 240 bytes, so a page has both and each is written. */
typedef struct holder {
  item *items[HOLDER_SLOTS];
} holder;

typedef struct work {
  holder **holders;
  size_t count;
  unsigned long state, made;
} work;

static size_t next_random(work *w, size_t below) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(w->state >> 33) % below;
}

static item **any_slot(work *w) {
  return &w->holders[next_random(w, w->count)]->items[next_random(w, HOLDER_SLOTS)];
}

static void make_one(work *w) {
  item **slot = any_slot(w), *old = *slot;
  if (old) {
    CHECK(is_whole(old, old->number));
    free(old);
  }
  *slot = new_item(w->made++);
}

/* An item swaps places with another, or goes where none is. */
static void move_one(work *w) {
  item **from = any_slot(w), **to = any_slot(w), *moved = *from;
  *from = *to;
  if (next_random(w, 2))
    *to = moved;
  else
    memmove(to, &moved, sizeof moved);
}

static void replace_holder(work *w) {
  size_t at = next_random(w, w->count);
  holder *copy = malloc(sizeof *copy);
  memcpy(copy, w->holders[at], sizeof *copy);
  memset(w->holders[at], 0, sizeof *copy);
  w->holders[at] = copy;
}

static void *run(void *argument) {
  work *w = argument;
  w->holders = malloc(w->count * sizeof *w->holders);
  for (size_t i = 0; i < w->count; i++)
    w->holders[i] = calloc(1, sizeof(holder));
  for (size_t i = 0; i < ROUNDS * w->count; i++) {
    make_one(w);
    for (int moves = 0; moves < 6; moves++)
      move_one(w);
    if (i % 16 == 0)
      replace_holder(w);
  }
  for (size_t i = 0; i < w->count; i++)
    for (size_t j = 0; j < HOLDER_SLOTS; j++) {
      const item *found = w->holders[i]->items[j];
      CHECK(!found || is_whole(found, found->number));
    }
  return NULL;
}

int main(int argc, char **argv) {
  const char *megabytes = argc > 1 ? argv[1] : "2", *seed = argc > 2 ? argv[2] : "1";
  work works[THREADS] = {{0}};
  pthread_t other;
  for (int i = 0; i < THREADS; i++) {
    works[i].count = (strtoul(megabytes, NULL, 10) << 20) / sizeof(holder) / THREADS;
    works[i].state = strtoul(seed, NULL, 10) * THREADS + (unsigned long)i;
  }
  printf("seed %s\n", seed);
  CHECK(pthread_create(&other, NULL, run, &works[1]) == 0);
  run(&works[0]);
  CHECK(pthread_join(other, NULL) == 0);
  puts("ok");
}
