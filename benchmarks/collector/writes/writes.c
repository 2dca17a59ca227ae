/* SPDX-License-Identifier: MIT */
/* writes.c - how long a program waits under -facre-malloc=collected while it writes pointers all
 * over its heap: the programs that a collector which looks again at what was written likes least.
 *
 *   acre-cc -O2 -facre-malloc=collected writes.c -o writes && ./writes lru|table|text MEGABYTES
 *       THREADS OPERATIONS [FILE]
 *
 *   lru    a cache of so many megabytes: two of three operations move an entry that is there to the
 *          front of a list and swap a pointer between two others, and the third replaces an old one
 *   table  a hash table without a bound of its own doubles by realloc until it and its entries
 *          have so many megabytes, and is emptied
 *   text   lines are appended to a text that grows by realloc, and a list of all words is kept
 *
 * Each thread has its part of MEGABYTES and does so many OPERATIONS.  Each is timed, because what
 * makes one long is what the thread waited for, wherever it was stopped.  One thread is timed by
 * its own clock (CLOCK_THREAD_CPUTIME_ID), which stands while other programs run; several by
 * CLOCK_MONOTONIC, because they wait for each other.  Writes a line of JSON: seconds, the longest
 * operation, within what time 99.9 % of those longer than 20 us were, and the least share of any 10
 * and 50 ms that was left when what such operations took is taken off.
 *
 * Interrupts count on any clock, but do not come twice at the same operation: FILE gets the longest
 * of each OPERATIONS_AT_ONCE of the first thread, in ns, to be compared with those of other runs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { SLOW = 20000, SLOW_MAX = 1 << 20, OPERATIONS_AT_ONCE = 64, LINE = 60 };

typedef struct slow {
  uint64_t end, length;
} slow;

typedef struct work {
  size_t bytes, operations;
  uint64_t random, longest, at_once, done, begin, end;
  slow *slow;
  size_t slow_count;
  FILE *file;
  void (*run)(struct work *w);
} work;

static clockid_t clock_used = CLOCK_THREAD_CPUTIME_ID;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(clock_used, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static size_t next_random(work *w, size_t below) {
  w->random = w->random * 6364136223846793005u + 1442695040888963407u;
  return (size_t)((w->random >> 33) % below);
}

static void note(work *w, uint64_t begin) {
  uint64_t end = now(), length = end - begin;
  w->longest = length > w->longest ? length : w->longest;
  w->at_once = length > w->at_once ? length : w->at_once;
  if (length >= SLOW && w->slow_count < SLOW_MAX)
    w->slow[w->slow_count++] = (slow){end, length};
  if (++w->done % OPERATIONS_AT_ONCE == 0 && w->file)
    fprintf(w->file, "%lu\n", w->at_once);
  w->at_once = w->done % OPERATIONS_AT_ONCE ? w->at_once : 0;
}

/* -- A cache ----------------------------------------------------------------------------------- */

typedef struct entry {
  struct entry *newer, *older, *next, *partner;
  char *value;
  uint64_t key, partners_key;
} entry;

typedef struct cache {
  entry **buckets, **entries; /* by what their key leaves when divided by the count */
  size_t count;
  entry list; /* newer: the oldest; older: the newest */
} cache;

static void unlink_entry(entry *e) {
  e->newer->older = e->older;
  e->older->newer = e->newer;
}

static void put_first(cache *c, entry *e) {
  e->older = c->list.older;
  e->newer = &c->list;
  e->older->newer = e;
  c->list.older = e;
}

static void insert(cache *c, entry *e, uint64_t key) {
  entry **bucket = &c->buckets[key % c->count];
  *e = (entry){.next = *bucket, .key = key, .value = malloc(32), .partner = e, .partners_key = key};
  snprintf(e->value, 32, "%lu", key);
  *bucket = e;
  put_first(c, e);
}

static void remove_oldest(cache *c) {
  entry *e = c->list.newer, **at = &c->buckets[e->key % c->count];
  while (*at != e)
    at = &(*at)->next;
  *at = e->next;
  unlink_entry(e);
  free(e->value);
  free(e);
}

/* A partner lives as long as the entry that has it: only that word refers to it. */
static void swap_partners(entry *a, entry *b) {
  entry *partner = a->partner;
  uint64_t key = a->partners_key;
  a->partner = b->partner;
  a->partners_key = b->partners_key;
  b->partner = partner;
  b->partners_key = key;
}

static void expect_key(const entry *e, uint64_t key) {
  if (e->key != key || strtoul(e->value, NULL, 10) != key)
    abort();
}

static void touch(work *w, cache *c) {
  size_t at = next_random(w, c->count), other = next_random(w, c->count);
  entry *a = c->entries[at], *b = c->entries[other];
  unlink_entry(a);
  put_first(c, a);
  swap_partners(a, b);
}

/* The copy of a partner is all that refers to it once the cache has it no more. */
static void replace(cache *c, uint64_t key) {
  entry *e = malloc(sizeof *e), *partner = malloc(sizeof *partner);
  entry *old = c->entries[key % c->count];
  *partner = (entry){.key = ~key, .value = malloc(32)};
  snprintf(partner->value, 32, "%lu", ~key);
  if (old) {
    expect_key(old->partner, old->partners_key);
    unlink_entry(old);
    put_first(c, old);
    old->newer->older = old->older;
    old->older->newer = old->newer;
    entry *list = c->list.newer;
    old->newer = list;
    old->older = &c->list;
    list->older = old;
    c->list.newer = old;
    remove_oldest(c);
  }
  insert(c, e, key);
  e->partner = partner;
  e->partners_key = ~key;
  c->entries[key % c->count] = e;
}

static void use_cache(work *w) {
  cache c = {.count = w->bytes / (2 * (sizeof(entry) + 8) + 2 * 48 + 2 * sizeof(entry *))};
  c.buckets = calloc(c.count, sizeof *c.buckets);
  c.entries = calloc(c.count, sizeof *c.entries);
  c.list.newer = c.list.older = &c.list;
  for (uint64_t key = 0; key < c.count; key++)
    replace(&c, key);
  for (uint64_t key = c.count; w->done < w->operations;) {
    uint64_t begin = now();
    if (next_random(w, 3) == 0)
      replace(&c, key++);
    else
      touch(w, &c);
    note(w, begin);
  }
  for (size_t i = 0; i < c.count; i++)
    expect_key(c.entries[i]->partner, c.entries[i]->partners_key);
}

/* -- A table that grows ------------------------------------------------------------------------ */

typedef struct node {
  struct node *next;
  uint64_t key;
} node;

static void grow(node ***buckets, size_t *count) {
  size_t more = *count ? 2 * *count : 1024;
  node **old = *buckets, *chain = NULL;
  for (size_t i = 0; i < *count; i++)
    while (old[i]) {
      node *n = old[i];
      old[i] = n->next;
      n->next = chain;
      chain = n;
    }
  *buckets = realloc(old, more * sizeof *old);
  memset(*buckets, 0, more * sizeof *old);
  while (chain) {
    node *n = chain;
    chain = n->next;
    n->next = (*buckets)[n->key * 0x9e3779b97f4a7c15u >> 20 & (more - 1)];
    (*buckets)[n->key * 0x9e3779b97f4a7c15u >> 20 & (more - 1)] = n;
  }
  *count = more;
}

/* To rehash the table takes an operation long by itself, so that is done between two of them, but
 * for the call of realloc, as every growth of the table is. */
static void use_table(work *w) {
  size_t most = w->bytes / (sizeof(node) + 8 + 2 * sizeof(node *));
  while (w->done < w->operations) {
    node **buckets = NULL;
    size_t count = 0;
    for (uint64_t key = 0; key < most && w->done < w->operations; key++) {
      if (key >= count)
        grow(&buckets, &count);
      uint64_t begin = now();
      node **bucket = &buckets[key * 0x9e3779b97f4a7c15u >> 20 & (count - 1)];
      node *n = malloc(sizeof *n);
      *n = (node){.next = *bucket, .key = key};
      *bucket = n;
      note(w, begin);
    }
    free(buckets);
  }
}

/* -- Text -------------------------------------------------------------------------------------- */

static void build_text(work *w) {
  while (w->done < w->operations) {
    size_t length = 0, room = 0, count = 0, words_room = 0;
    char *text = NULL, **words = NULL;
    while (length < w->bytes / 2 && w->done < w->operations) {
      uint64_t begin = now();
      if (length + LINE + 1 > room)
        text = realloc(text, room = room ? room + room / 2 : 4096);
      if (count == words_room)
        words = realloc(words, (words_room = words_room ? 2 * words_room : 512) * sizeof *words);
      length += (size_t)snprintf(text + length, LINE, "%lu %lu %lu\n", w->done, length, count);
      words[count] = malloc(24);
      snprintf(words[count++], 24, "%lu", w->done);
      note(w, begin);
    }
    free(text);
    free(words);
  }
}

/* -- Figures ----------------------------------------------------------------------------------- */

static int compare_lengths(const void *a, const void *b) {
  uint64_t x = ((const slow *)a)->length, y = ((const slow *)b)->length;
  return (x > y) - (x < y);
}

/* The least share of any window that slow operations left. */
static double utilisation(const work *w, uint64_t window) {
  uint64_t sum = 0, most = 0;
  for (size_t first = 0, last = 0; last < w->slow_count; last++) {
    uint64_t end = w->slow[last].end, start;
    sum += w->slow[last].length;
    for (; w->slow[first].end + window <= end; first++)
      sum -= w->slow[first].length;
    start = w->slow[first].end - w->slow[first].length;
    uint64_t in = start + window < end ? sum - (end - start - window) : sum;
    most = in > most ? in : most;
  }
  return most >= window ? 0 : 1 - (double)most / (double)window;
}

static void *run(void *argument) {
  work *w = argument;
  w->begin = now();
  w->run(w);
  w->end = now();
  return NULL;
}

static void print_figures(work *works, size_t threads) {
  uint64_t longest = 0, within = 0, begin = UINT64_MAX, end = 0;
  double of_10 = 1, of_50 = 1;
  size_t count = 0;
  for (work *w = works; w < works + threads; w++) {
    double a = utilisation(w, 10000000), b = utilisation(w, 50000000);
    of_10 = a < of_10 ? a : of_10;
    of_50 = b < of_50 ? b : of_50;
    count += w->slow_count;
    qsort(w->slow, w->slow_count, sizeof *w->slow, compare_lengths);
    uint64_t most = w->slow_count ? w->slow[w->slow_count - 1 - w->slow_count / 1000].length : 0;
    within = most > within ? most : within;
    longest = w->longest > longest ? w->longest : longest;
    begin = w->begin < begin ? w->begin : begin;
    end = w->end > end ? w->end : end;
  }
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("{\"elapsed\": %.3f, \"processor\": %.3f, \"peak_mb\": %.1f, \"longest_us\": %.1f, "
         "\"slow\": %zu, \"within_999_us\": %.1f, \"share_10_ms\": %.2f, \"share_50_ms\": %.2f}\n",
         (double)(end - begin) / 1e9,
         (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
             (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6,
         (double)use.ru_maxrss / 1024, (double)longest / 1000, count, (double)within / 1000, of_10,
         of_50);
}

int main(int argument_count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(work *w);
  } workloads[] = {{"lru", use_cache}, {"table", use_table}, {"text", build_text}};
  if (argument_count < 5)
    return 2;
  size_t threads = strtoul(arguments[3], NULL, 10);
  work *works = calloc(threads, sizeof *works);
  pthread_t *ids = calloc(threads, sizeof *ids);
  clock_used = threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
  for (size_t i = 0; i < threads; i++) {
    works[i] = (work){.bytes = (size_t)(strtod(arguments[2], NULL) * (1 << 20)) / threads,
                      .operations = strtoul(arguments[4], NULL, 10),
                      .random = i + 1};
    for (size_t j = 0; j < sizeof workloads / sizeof *workloads; j++)
      if (strcmp(arguments[1], workloads[j].name) == 0)
        works[i].run = workloads[j].run;
    works[i].slow = calloc(SLOW_MAX, sizeof *works[i].slow);
    if (!works[i].run ||
        (i == 0 && argument_count > 5 && !(works[i].file = fopen(arguments[5], "w"))))
      return 2;
  }
  for (size_t i = 1; i < threads; i++)
    pthread_create(&ids[i], NULL, run, &works[i]);
  run(&works[0]);
  for (size_t i = 1; i < threads; i++)
    pthread_join(ids[i], NULL);
  print_figures(works, threads);
}
