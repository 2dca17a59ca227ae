/* bases_support.c MODE ROUNDS - runs the functions of a program of bases.py, and prints what they
 * return.
 *
 * MODE is "none": no collection; "ticks": some at calls of tick in each function; "thread": another
 * thread collects all the time.
 */
#include "bases_support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __ACRE__
#include <acre/collected.h>
#else
static void acre_collected_collect(void) {}
#endif

static enum { NONE, TICKS, THREAD } mode;
static long ticks;
static void *volatile garbage;
static volatile long changing;
static atomic_bool is_done;

/* Overwrites what calls have left below the frame: it could keep an object by chance. */
static NOINLINE void scrub(void) {
  volatile char left[4096];
  for (size_t i = 0; i < sizeof left; i++)
    left[i] = 0;
}

NOINLINE void tick(void) {
  garbage = malloc(32);
  ticks++;
  if (mode != TICKS || (ticks != 2 && ticks % 61 != 5))
    return;
  scrub();
  acre_collected_collect();
  scrub();
}

NOINLINE long opaque(long number) {
  changing = number;
  return changing;
}

NOINLINE made make(size_t size, word seed) {
  unsigned char *bytes = malloc(size);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)((seed + i) * 2654435761u >> 13);
  return (made){0, bytes};
}

NOINLINE made make_boxes(size_t size, word seed) {
  box *first = NULL;
  for (word i = 0; i < 3; i++) {
    box *b = malloc(sizeof *b);
    b->a = make(size, seed + i).object;
    b->b = make(size, seed + 100 + i).object;
    b->c = make(size, seed + 200 + i).object;
    b->next = first;
    first = b;
  }
  return (made){0, first};
}

NOINLINE word read_bytes(const void *from, size_t size) {
  const unsigned char *bytes = from;
  word sum = 0;
  for (size_t i = 0; i < size; i++)
    sum = sum * 31 + bytes[i];
  return sum;
}

NOINLINE word read_all(int count, size_t size, ...) {
  va_list list;
  va_start(list, size);
  word sum = 0;
  for (int i = 0; i < count; i++)
    sum = sum * 7 + read_bytes(va_arg(list, void *), size);
  va_end(list);
  return sum;
}

static void *collect_always(void *unused) {
  while (!is_done)
    acre_collected_collect();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t collector;
  const char *name = argc > 1 ? argv[1] : "none";
  mode = strcmp(name, "ticks") == 0 ? TICKS : strcmp(name, "thread") == 0 ? THREAD : NONE;
  if (mode == THREAD && pthread_create(&collector, NULL, collect_always, NULL) != 0)
    return 2;
  for (int i = 0; i < test_count; i++) {
    ticks = 0;
    scrub();
    printf("%s %lx\n", tests[i].name, tests[i].run(argc > 2 ? atol(argv[2]) : 1));
  }
  is_done = true;
  if (mode == THREAD)
    pthread_join(collector, NULL);
}
