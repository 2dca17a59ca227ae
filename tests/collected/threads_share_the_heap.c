// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,growth=128K %t.O2 20000
// RUN: env ACRE_HEAP=poison,growth=128K,whole %t.O2 20000 2
// RUN: env ACRE_HEAP=poison,growth=64K,increment=256 %t.O2 10000 3
// RUN: env ACRE_HEAP=poison,check,growth=64K,increment=8K %t.O2 300 5
// RUN: env ACRE_HEAP=poison,check,growth=64K %t.O2 300 7
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// Threads come and go, build lists in shared and own memory, hand objects to each other, block
// signals and wait, while collections stop them. Seeds: argument 2.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 6, SLOTS = 64, GENERATIONS = 4 };
static item *_Atomic shared[SLOTS];
static long rounds = 4000;
static unsigned seed = 1;

static unsigned next_random(unsigned *state) {
  return *state = *state * 1664525 + 1013904223, *state >> 8;
}

static void expect_list(const item *list) {
  for (const item *i = list; i; i = i->next)
    CHECK(i->complement == ~i->number);
}

static void *work(void *argument) {
  unsigned state = (unsigned)(uintptr_t)argument * 7919 + seed;
  item *own = NULL;
  sigset_t all;
  sigfillset(&all);
  if (next_random(&state) % 2)
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (long i = 0; i < rounds; i++) {
    item *fresh = new_item(next_random(&state));
    unsigned choice = next_random(&state) % 16, slot = next_random(&state) % SLOTS;
    if (choice < 8) {
      fresh->next = own;
      own = choice == 7 ? NULL : fresh;
    } else if (choice < 12) {
      fresh->next = i % 32 ? atomic_load(&shared[slot]) : NULL;
      atomic_store(&shared[slot], fresh);
    } else if (choice < 15) {
      expect_list(atomic_exchange(&shared[slot], NULL));
      free(fresh);
    } else {
      expect_list(own);
      char *text = malloc(next_random(&state) % 20000 + 1);
      free(realloc(text, next_random(&state) % 20000 + 1));
    }
  }
  expect_list(own);
  return own;
}

int main(int count, char **arguments) {
  if (count > 1)
    rounds = atol(arguments[1]);
  if (count > 2)
    seed = (unsigned)atol(arguments[2]);
  for (unsigned generation = 0; generation < GENERATIONS; generation++) {
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
      CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + generation * THREADS)) == 0);
    for (size_t i = 0; i < THREADS; i++) {
      void *list;
      pthread_join(threads[i], &list);
      expect_list(list);
    }
  }
  for (int i = 0; i < SLOTS; i++)
    expect_list(atomic_load(&shared[i]));
  CHECK(acre_collected_check());
}
