/* SPDX-License-Identifier: MIT */
/* allocate.c - allocates and frees batches of list nodes with one allocator, chosen by
 * -DALLOCATOR_<name>.
 *
 * usage: allocate constant|mixed|scattered BATCH ROUNDS    prints nanoseconds per object
 *
 * Every object is linked into a list, so that it is used, and hidden from the optimizer, so that no
 * allocation is merged with the next or kept in registers.  LOOP does the same with an array and no
 * allocator.  Objects are released the newest first; scattered: in an order that has nothing to do
 * with that of their allocation.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_MAX 1000
#define INLINE static inline __attribute__((always_inline))

#if defined(ALLOCATOR_REGION) || defined(ALLOCATOR_COUNTED)
#include <acre/acre.h>
#else
#define sameregion
#define deletes
#endif

typedef struct node {
  struct node *sameregion next;
  uintptr_t value;
  uintptr_t size; /* who releases an object without a header must know it */
} node;

#if defined(ALLOCATOR_LOOP)
static char places[BATCH_MAX][256];
static void start(void) {}
INLINE void *allocate(size_t size, int i) {
  (void)size;
  return places[i];
}
INLINE void release(node *list) { (void)list; }

#elif defined(ALLOCATOR_STACK)
/* Hanson's comparison: one pointer, one limit, everything in fixed memory. */
static char memory[BATCH_MAX * 256 + 16];
static struct {
  char *avail, *limit;
} stack = {memory, memory + sizeof memory};
static void start(void) {}
INLINE void *allocate(size_t size, int i) {
  (void)i;
  char *p = stack.avail, *end = p + ((size + 15) & ~(size_t)15);
  if (end > stack.limit)
    abort();
  stack.avail = end;
  return p;
}
INLINE void release(node *list) {
  (void)list;
  stack.avail = memory;
}

#elif defined(ALLOCATOR_ARENA) || defined(ALLOCATOR_ARENA_NEW)
#include <acre/arena.h>
static acre_arena *arena;
static void start(void) { arena = acre_arena_new(NULL); }
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return acre_arena_alloc(arena, size);
}
#if defined(ALLOCATOR_ARENA)
INLINE void release(node *list) {
  (void)list;
  acre_arena_reset(arena, SIZE_MAX);
}
#else
INLINE void release(node *list) {
  (void)list;
  acre_arena_delete(arena);
  arena = acre_arena_new(NULL);
}
#endif

#elif defined(ALLOCATOR_OBSTACK)
#include <obstack.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
static struct obstack obstack;
static void *bottom;
static void start(void) {
  obstack_init(&obstack);
  bottom = obstack_alloc(&obstack, 0);
}
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return obstack_alloc(&obstack, size);
}
INLINE void release(node *list) {
  (void)list;
  obstack_free(&obstack, bottom);
}

#elif defined(ALLOCATOR_REGION) || defined(ALLOCATOR_COUNTED)
static region pool;
static void start(void) { pool = newregion(); }
/* The first node of an array, so that the size may vary; those of constant size are single objects.
 */
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return __builtin_constant_p(size) && size == sizeof(node)
             ? (void *)ralloc(pool, node)
             : (void *)rarrayalloc(pool, size / 8, uintptr_t);
}
INLINE void release(node *list) deletes {
  list = NULL;
  (void)list;
  deleteregion_ptr(&pool);
  pool = newregion();
}

#elif defined(ALLOCATOR_FIRST_FIT) || defined(ALLOCATOR_QUICK_FIT)
#include "fits.h"
static void start(void) { fit_start(); }
#ifdef ALLOCATOR_FIRST_FIT
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return fit_allocate(size);
}
#define RELEASE_ONE(n) fit_release(n)
#else
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return quick_allocate(size);
}
#define RELEASE_ONE(n) quick_release((n), (n)->size)
#endif
INLINE void release(node *list) {
  while (list) {
    node *next = list->next;
    RELEASE_ONE(list);
    list = next;
  }
}

#elif defined(ALLOCATOR_TALLOC)
#include <talloc.h>
static void *context;
static void start(void) { context = talloc_new(NULL); }
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return talloc_size(context, size);
}
INLINE void release(node *list) {
  (void)list;
  talloc_free(context);
  context = talloc_new(NULL);
}

#elif defined(ALLOCATOR_APR)
#include <apr_pools.h>
static apr_pool_t *pool;
static void start(void) {
  apr_initialize();
  apr_pool_create(&pool, NULL);
}
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return apr_palloc(pool, size);
}
INLINE void release(node *list) {
  (void)list;
  apr_pool_clear(pool);
}

#elif defined(ALLOCATOR_MALLOC) || defined(ALLOCATOR_JEMALLOC)
static void start(void) {}
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return malloc(size);
}
INLINE void release(node *list) {
  while (list) {
    node *next = list->next;
    free(list);
    list = next;
  }
}

#elif defined(ALLOCATOR_MIMALLOC)
#include <mimalloc.h>
static void start(void) {}
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return mi_malloc(size);
}
INLINE void release(node *list) {
  while (list) {
    node *next = list->next;
    mi_free(list);
    list = next;
  }
}

#elif defined(ALLOCATOR_MIMALLOC_HEAP)
#include <mimalloc.h>
static mi_heap_t *heap;
static void start(void) { heap = mi_heap_new(); }
INLINE void *allocate(size_t size, int i) {
  (void)i;
  return mi_heap_malloc(heap, size);
}
INLINE void release(node *list) {
  (void)list;
  mi_heap_destroy(heap);
  heap = mi_heap_new();
}
#endif

static unsigned short sizes[BATCH_MAX];

static uintptr_t
    made[BATCH_MAX]; /* the objects, as numbers: keeping them here is no part of what is measured */
static unsigned short shuffled[BATCH_MAX]; /* numbers below the batch */

static uintptr_t constant_round(int batch) deletes {
  node *list = NULL;
  for (int i = 0; i < batch; i++) {
    node *n = allocate(sizeof *n, i);
    __asm__ volatile("" : "+r"(n) : : "memory");
    n->next = list;
    n->value = (uintptr_t)i;
    n->size = sizeof *n;
    list = n;
  }
  uintptr_t result = list->value;
  release(list);
  return result;
}

static uintptr_t mixed_round(int batch) deletes {
  node *list = NULL;
  for (int i = 0; i < batch; i++) {
    size_t size = sizes[i];
    __asm__ volatile("" : "+r"(size));
    node *n = allocate(size, i);
    __asm__ volatile("" : "+r"(n) : : "memory");
    n->next = list;
    n->value = (uintptr_t)i;
    n->size = size;
    list = n;
  }
  uintptr_t result = list->value;
  release(list);
  return result;
}

static uintptr_t scattered_round(int batch) deletes {
  for (int i = 0; i < batch; i++) {
    size_t size = sizes[i];
    __asm__ volatile("" : "+r"(size));
    node *n = allocate(size, i);
    __asm__ volatile("" : "+r"(n) : : "memory");
    n->value = (uintptr_t)i;
    n->size = size;
    made[i] = (uintptr_t)n;
  }
  node *list = NULL;
  for (int i = 0; i < batch; i++) {
    node *n = (node *)made[shuffled[i]];
    n->next = list;
    list = n;
  }
  release(list);
  return (uintptr_t)batch - 1;
}

static uint32_t random_below(uint32_t bound) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (state >> 16) % bound;
}

static void make_random(int batch) {
  for (int i = 0; i < BATCH_MAX; i++)
    sizes[i] =
        (unsigned short)((sizeof(node) + random_below(177)) & ~(size_t)7); /* 24 to 200 bytes */
  for (int i = 0; i < batch; i++)
    shuffled[i] = (unsigned short)i;
  for (int i = batch - 1; i > 0; i--) {
    unsigned other = random_below((uint32_t)i + 1);
    unsigned short kept = shuffled[i];
    shuffled[i] = shuffled[other];
    shuffled[other] = kept;
  }
}

int main(int argc, char **argv) deletes {
  int batch = argc == 4 ? atoi(argv[2]) : 0;
  char kind = argc == 4 ? argv[1][0] : 0;
  if (batch < 1 || batch > BATCH_MAX ||
      (strcmp(argv[1], "constant") != 0 && strcmp(argv[1], "mixed") != 0 &&
       strcmp(argv[1], "scattered") != 0)) {
    fprintf(stderr, "usage: %s constant|mixed|scattered BATCH ROUNDS (BATCH: 1 to %d objects)\n",
            argv[0], BATCH_MAX);
    return 2;
  }
  long rounds = atol(argv[3]);
  make_random(batch);
  start();
  struct timespec from, to;
  uintptr_t sum = 0;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (long i = 0; i < rounds; i++)
    sum += kind == 'c'   ? constant_round(batch)
           : kind == 'm' ? mixed_round(batch)
                         : scattered_round(batch);
  clock_gettime(CLOCK_MONOTONIC, &to);
  if (sum != (uintptr_t)rounds * (uintptr_t)(batch - 1)) {
    fprintf(stderr, "wrong sum\n");
    return 1;
  }
  double nanoseconds =
      (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
  printf("%.4f\n", nanoseconds / ((double)rounds * batch));
  return 0;
}
