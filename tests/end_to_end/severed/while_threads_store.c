// Slots are severed while other threads store to them and unmap them: a pointer that a thread has
// stored is not lost, and memory that is gone is left alone.
// By QEMU, for ARM64, a store is lost now and then; the cause has not been found.
// UNSUPPORTED: foreign
// RUN: %each_level -o %t %s -- -pthread
// RUN: %each_level -o %t %s -- -pthread -DPOLICY=ACRE_DELETE_TRAP
#include "../Inputs/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#ifndef POLICY
#define POLICY ACRE_DELETE_SEVER
#endif

enum { THREADS = 3, ROUNDS = 300, PAGE = 4096, SLOTS = 20 };
struct places {
  node *_Atomic slots[SLOTS];
  struct __attribute__((packed)) {
    char gap;
    node *slots[SLOTS];
  } misaligned;
};
static struct places *places_of[THREADS];
static atomic_int deleting; /* the round in which the region is being deleted */
static pthread_barrier_t is_mapped, is_deleted;

static struct places *map(void) {
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  return page;
}

static void fill(struct places *places, node *p) {
  for (int i = 0; i < SLOTS; i++) {
    places->misaligned.slots[i] = p;
    atomic_store(&places->slots[i], p);
  }
}

static void expect(struct places *places, node *p) {
  for (int i = 0; i < SLOTS; i++)
    CHECK(atomic_load(&places->slots[i]) == p && places->misaligned.slots[i] == p);
}

static void *use(void *argument) deletes {
  struct places **places = argument;
  region r = newregion();
  node *own = new_node(r);
  for (int round = 1; round <= ROUNDS; round++) {
    *places = map();
    pthread_barrier_wait(&is_mapped);
    while (atomic_load(&deleting) != round)
      ;
    if (round % 3)
      fill(*places, own);
    else
      CHECK(munmap(*places, PAGE) == 0);
    pthread_barrier_wait(&is_deleted);
    if (round % 3) {
      expect(*places, own);
      fill(*places, NULL);
      CHECK(munmap(*places, PAGE) == 0);
    }
  }
  CHECK(own->value == 42);
  CHECK(deleteregion(r));
  return argument;
}

static NOINLINE void leave_dangling(void) deletes {
  region r = newregion();
  for (int i = 0; i < THREADS; i++)
    fill(places_of[i], new_node(r));
  atomic_fetch_add(&deleting, 1);
  CHECK(deleteregion(r));
}

int main(void) deletes {
  pthread_t threads[THREADS];
  acre_set_delete_policy(POLICY);
  pthread_barrier_init(&is_mapped, NULL, THREADS + 1);
  pthread_barrier_init(&is_deleted, NULL, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, use, &places_of[i]) == 0);
  for (int round = 1; round <= ROUNDS; round++) {
    pthread_barrier_wait(&is_mapped);
    leave_dangling();
    pthread_barrier_wait(&is_deleted);
  }
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_join(threads[i], NULL) == 0);
  CHECK(acre_verify());
  return 0;
}
