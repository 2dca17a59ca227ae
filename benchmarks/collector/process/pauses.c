/* SPDX-License-Identifier: MIT */
/* pauses.c - how long a program waits for malloc under -facre-malloc=collected: complete binary
 * trees, replaced one at a time.
 *
 *   acre-cc -O2 -facre-malloc=collected pauses.c -o pauses && ./pauses MEGABYTES THREADS ROUNDS
 *       [FILE [WAITING [DATA [NUMBERS]]]]
 *
 * Each thread, of which the main one is the first, keeps its part of MEGABYTES and replaces all of
 * it ROUNDS times.  Writes a line of JSON: seconds, the longest call of malloc and how many us 99.9
 * % of the calls that took more than a microsecond were within.  ACRE_HEAP=whole makes each
 * collection one pause.
 *
 * The machine interrupts any program for longer than the collector does, but not twice at the same
 * call: FILE gets the longest of each CALLS_AT_ONCE calls of the first thread, in ns, to be
 * compared with those of other runs.
 *
 * WAITING threads more do nothing, with a megabyte of their stacks in use; DATA megabytes of memory
 * outside the heap hold pointers to it; NUMBERS megabytes of arrays of double are in it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { DEPTH = 12, BUCKETS = 64 * 8, SLOW = 1000, CALLS_AT_ONCE = 1024 };

typedef struct tree {
  struct tree *left, *right;
  uint64_t number;
} tree;

typedef struct work {
  size_t trees, rounds;
  uint64_t seed;
  uint64_t longest, slow, slow_by[BUCKETS];
  uint64_t calls, longest_at_once;
  FILE *file;
} work;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Buckets of an eighth of a power of two. */
static unsigned bucket_of(uint64_t ns) {
  unsigned power = 63 - (unsigned)__builtin_clzl(ns | 8);
  return power * 8 + (unsigned)(ns >> (power - 3) & 7);
}
static uint64_t bucket_end(unsigned bucket) {
  return (uint64_t)(bucket % 8 + 9) << (bucket / 8 - 3);
}

static void note(work *w, uint64_t ns) {
  w->longest = ns > w->longest ? ns : w->longest;
  if (ns >= SLOW) {
    w->slow++;
    w->slow_by[bucket_of(ns)]++;
  }
  w->longest_at_once = ns > w->longest_at_once ? ns : w->longest_at_once;
  if (w->file && ++w->calls % CALLS_AT_ONCE == 0) {
    fprintf(w->file, "%lu\n", w->longest_at_once);
    w->longest_at_once = 0;
  }
}

static tree *build(work *w, unsigned depth) {
  uint64_t begin = now();
  tree *t = malloc(sizeof *t);
  note(w, now() - begin);
  t->number = depth;
  t->left = depth > 1 ? build(w, depth - 1) : NULL;
  t->right = depth > 1 ? build(w, depth - 1) : NULL;
  return t;
}

static size_t count(const tree *t) { return t ? 1 + count(t->left) + count(t->right) : 0; }

static void *run(void *argument) {
  work *w = argument;
  tree **kept = calloc(w->trees, sizeof *kept);
  uint64_t random = w->seed;
  for (size_t i = 0; i < w->trees; i++)
    kept[i] = build(w, DEPTH);
  for (size_t i = 0; i < w->trees * w->rounds; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    kept[(random >> 33) % w->trees] = build(w, DEPTH);
  }
  size_t total = 0;
  for (size_t i = 0; i < w->trees; i++)
    total += count(kept[i]);
  if (total != w->trees * ((1u << DEPTH) - 1))
    abort();
  return NULL;
}

/* -- Roots ------------------------------------------------------------------------------------- */

enum { STACK_WORDS = (1 << 20) / sizeof(void *) };
static pthread_mutex_t is_over = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t have_begun;

static void fill(void **words, size_t count) {
  void *object = malloc(sizeof(tree));
  for (size_t i = 0; i < count; i++)
    words[i] = i % 8 ? (void *)i : object;
}

static void *wait_deep(void *argument) {
  void *used[STACK_WORDS];
  (void)argument;
  fill(used, STACK_WORDS);
  __asm__ volatile("" : : "r"(used) : "memory");
  pthread_barrier_wait(&have_begun);
  pthread_mutex_lock(&is_over);
  pthread_mutex_unlock(&is_over);
  return NULL;
}

static void start_waiting(size_t count) {
  pthread_mutex_lock(&is_over);
  pthread_barrier_init(&have_begun, NULL, (unsigned)count + 1);
  for (size_t i = 0; i < count; i++) {
    pthread_t id;
    pthread_create(&id, NULL, wait_deep, NULL);
    pthread_detach(id);
  }
  pthread_barrier_wait(&have_begun);
}

static void map_data(size_t bytes) {
  void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes && data == MAP_FAILED)
    exit(2);
  fill(data, bytes / sizeof(void *));
}

static void make_numbers(size_t megabytes) {
  enum { AT_ONCE = 8 };
  size_t count = megabytes / AT_ONCE;
  double **arrays = calloc(count, sizeof *arrays);
  for (size_t i = 0; i < count; i++) {
    size_t length = ((size_t)AT_ONCE << 20) / sizeof **arrays;
    arrays[i] = malloc(length * sizeof **arrays);
    for (size_t j = 0; j < length; j++)
      arrays[i][j] = (double)j;
  }
  static double **volatile kept;
  kept = arrays;
}

/* -- Figures ----------------------------------------------------------------------------------- */

static uint64_t within(const work *all, double part) {
  uint64_t seen = 0;
  for (unsigned i = 0; i < BUCKETS; i++)
    if ((seen += all->slow_by[i]) >= part * (double)all->slow)
      return bucket_end(i);
  return 0;
}

int main(int argument_count, char **arguments) {
  if (argument_count < 4)
    return 2;
  size_t threads = strtoul(arguments[2], NULL, 10);
  size_t trees = (size_t)(strtod(arguments[1], NULL) * (1 << 20)) / threads /
                 (((size_t)1 << DEPTH) * sizeof(tree) * 5 / 3);
  work *works = calloc(threads, sizeof *works), all = {0};
  pthread_t *ids = calloc(threads, sizeof *ids);
  if (argument_count > 5)
    start_waiting(strtoul(arguments[5], NULL, 10));
  if (argument_count > 6)
    map_data(strtoul(arguments[6], NULL, 10) << 20);
  if (argument_count > 7)
    make_numbers(strtoul(arguments[7], NULL, 10));
  uint64_t begin = now();
  for (size_t i = 0; i < threads; i++) {
    works[i] = (work){.trees = trees, .rounds = strtoul(arguments[3], NULL, 10), .seed = i + 1};
    if (i == 0 && argument_count > 4 && !(works[i].file = fopen(arguments[4], "w")))
      return 2;
    if (i > 0)
      pthread_create(&ids[i], NULL, run, &works[i]);
  }
  run(&works[0]);
  for (size_t i = 0; i < threads; i++) {
    if (i > 0)
      pthread_join(ids[i], NULL);
    if (works[i].file)
      fclose(works[i].file);
    all.longest = works[i].longest > all.longest ? works[i].longest : all.longest;
    all.slow += works[i].slow;
    for (unsigned j = 0; j < BUCKETS; j++)
      all.slow_by[j] += works[i].slow_by[j];
  }
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("{\"elapsed\": %.3f, \"processor\": %.3f, \"peak_mb\": %.1f, \"longest_us\": %.1f, "
         "\"slow\": %lu, \"within_999_us\": %.1f, "
         "\"half_us\": %.1f}\n",
         (double)(now() - begin) / 1e9,
         (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
             (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6,
         (double)use.ru_maxrss / 1024, (double)all.longest / 1000, all.slow,
         (double)within(&all, 0.999) / 1000, (double)within(&all, 0.5) / 1000);
}
