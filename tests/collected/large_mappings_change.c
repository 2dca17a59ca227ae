// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,growth=256K,pause=0 %t.O2 3000 1
// RUN: env ACRE_HEAP=poison,growth=128K,increment=512 %t.O2 2000 2
// RUN: env ACRE_HEAP=poison,check,growth=256K,increment=16K %t.O2 120 3
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// Threads keep lists only in mappings of megabytes, private, shared and of a file, which move, are
// given back in part, become read-only and grow, while collections run and processes are forked.
// Seeds: argument 2.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, PAGE = 4096, SLOTS = 64 };
static const size_t size = (size_t)3 << 20;
static long rounds = 1000;
static unsigned seed = 1;

static unsigned next_random(unsigned *state) {
  return *state = *state * 1664525 + 1013904223, *state >> 8;
}

typedef struct place {
  item **words;
  size_t slots[SLOTS]; /* of words; most are null */
  int kind, protection;
} place;

static void *map(int kind) {
  if (kind < 2)
    return mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_ANONYMOUS | (kind ? MAP_SHARED : MAP_PRIVATE), -1, 0);
  int file = memfd_create("words", MFD_CLOEXEC);
  CHECK(file >= 0 && ftruncate(file, (off_t)size) == 0);
  void *words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  close(file);
  return words;
}

static void expect_lists(const place *p) {
  for (int i = 0; i < SLOTS; i++)
    for (const item *each = p->words[p->slots[i]]; each; each = each->next)
      CHECK(each->complement == ~each->number);
}

static void set_protection(place *p, int protection) {
  CHECK(mprotect(p->words, size, protection) == 0);
  p->protection = protection;
}

static __attribute__((noinline)) void store_list(place *p, unsigned slot, unsigned *state) {
  item *list = NULL;
  for (unsigned i = next_random(state) % 20; i > 0; i--) {
    item *fresh = new_item(next_random(state));
    fresh->next = list;
    list = fresh;
  }
  p->words[p->slots[slot]] = list;
}

/* Another process looks at what is there now. */
static void expect_in_child(const place *p) {
  pid_t child = fork();
  if (child == 0) {
    expect_lists(p);
    for (int i = 0; i < 2000; i++)
      (void)new_item((unsigned)i);
    expect_lists(p);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void change(place *p, unsigned *state) {
  unsigned slot = next_random(state) % SLOTS, other = next_random(state) % SLOTS;
  switch (next_random(state) % 8) {
  case 0: { /* elsewhere */
    void *to = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p->words = mremap(p->words, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    CHECK(p->words == to);
    break;
  }
  case 1: /* where the collector looks: not files */
    if (p->kind != 2)
      set_protection(p, PROT_READ);
    break;
  case 2: /* a page goes; nothing of use is there any more */
    if (slot != other) {
      p->words[p->slots[other]] = p->words[p->slots[slot]];
      p->words[p->slots[slot]] = NULL;
      CHECK(madvise(p->words + p->slots[slot] / (PAGE / 8) * (PAGE / 8), PAGE, MADV_DONTNEED) == 0);
    }
    break;
  default: { /* to another page */
    item *list = p->words[p->slots[slot]];
    p->words[p->slots[slot]] = NULL;
    p->slots[slot] = slot * (size / 8 / SLOTS) + next_random(state) % (size / 8 / SLOTS);
    p->words[p->slots[slot]] = list;
  }
  }
}

static void *work(void *argument) {
  unsigned state = (unsigned)(uintptr_t)argument * 7919 + seed;
  int kind = (int)(uintptr_t)argument % 3;
  place p = {.words = map(kind), .kind = kind, .protection = PROT_READ | PROT_WRITE};
  CHECK(p.words != MAP_FAILED);
  for (unsigned i = 0; i < SLOTS; i++)
    p.slots[i] = i * (size / 8 / SLOTS);
  for (long i = 0; i < rounds; i++) {
    if (p.protection == PROT_READ && next_random(&state) % 2)
      set_protection(&p, PROT_READ | PROT_WRITE);
    if (p.protection != PROT_READ) {
      store_list(&p, next_random(&state) % SLOTS, &state);
      change(&p, &state);
    } else {
      for (int n = 0; n < 100; n++)
        (void)new_item((unsigned)n);
    }
    if (i % 64 == 0)
      expect_lists(&p);
    if (i % 512 == 100)
      expect_in_child(&p);
  }
  expect_lists(&p);
  munmap(p.words, size);
  return NULL;
}

int main(int count, char **arguments) {
  if (count > 1)
    rounds = atol(arguments[1]);
  if (count > 2)
    seed = (unsigned)atoi(arguments[2]);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}
