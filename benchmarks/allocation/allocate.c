/* allocate.c - allocates and frees batches of list nodes with one allocator, chosen by -DALLOCATOR_<name>.
 *
 * usage: allocate constant|mixed BATCH ROUNDS    prints nanoseconds per object
 *
 * Every object is linked into a list, so that it is used, and hidden from the optimizer, so that no allocation is
 * merged with the next or kept in registers.  LOOP does the same with an array and no allocator.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_MAX 1000
#define INLINE static inline __attribute__((always_inline))

typedef struct node {
  struct node *next;
  uintptr_t value;
  uintptr_t other;
} node;

#if defined(ALLOCATOR_LOOP)
static char places[BATCH_MAX][256];
static void start(void) {}
INLINE void *allocate(size_t size, int i) { (void)size; return places[i]; }
INLINE void release(node *list) { (void)list; }

#elif defined(ALLOCATOR_STACK)
/* Hanson's comparison: one pointer, one limit, everything in fixed memory. */
static char memory[BATCH_MAX * 256 + 16];
static struct { char *avail, *limit; } stack = {memory, memory + sizeof memory};
static void start(void) {}
INLINE void *allocate(size_t size, int i) {
  (void)i;
  char *p = stack.avail, *end = p + ((size + 15) & ~(size_t)15);
  if (end > stack.limit)
    abort();
  stack.avail = end;
  return p;
}
INLINE void release(node *list) { (void)list; stack.avail = memory; }

#elif defined(ALLOCATOR_ARENA) || defined(ALLOCATOR_ARENA_NEW)
#include <acre/arena.h>
static acre_arena *arena;
static void start(void) { arena = acre_arena_new(NULL); }
INLINE void *allocate(size_t size, int i) { (void)i; return acre_arena_alloc(arena, size); }
#if defined(ALLOCATOR_ARENA)
INLINE void release(node *list) { (void)list; acre_arena_reset(arena, SIZE_MAX); }
#else
INLINE void release(node *list) { (void)list; acre_arena_delete(arena); arena = acre_arena_new(NULL); }
#endif

#elif defined(ALLOCATOR_OBSTACK)
#include <obstack.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
static struct obstack obstack;
static void *bottom;
static void start(void) { obstack_init(&obstack); bottom = obstack_alloc(&obstack, 0); }
INLINE void *allocate(size_t size, int i) { (void)i; return obstack_alloc(&obstack, size); }
INLINE void release(node *list) { (void)list; obstack_free(&obstack, bottom); }

#elif defined(ALLOCATOR_MALLOC)
static void start(void) {}
INLINE void *allocate(size_t size, int i) { (void)i; return malloc(size); }
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
INLINE void *allocate(size_t size, int i) { (void)i; return mi_malloc(size); }
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
INLINE void *allocate(size_t size, int i) { (void)i; return mi_heap_malloc(heap, size); }
INLINE void release(node *list) { (void)list; mi_heap_destroy(heap); heap = mi_heap_new(); }
#endif

static unsigned short sizes[BATCH_MAX];

static uintptr_t constant_round(int batch) {
  node *list = NULL;
  for (int i = 0; i < batch; i++) {
    node *n = allocate(sizeof *n, i);
    __asm__ volatile("" : "+r"(n) : : "memory");
    n->next = list;
    n->value = (uintptr_t)i;
    list = n;
  }
  uintptr_t result = list->value;
  release(list);
  return result;
}

static uintptr_t mixed_round(int batch) {
  node *list = NULL;
  for (int i = 0; i < batch; i++) {
    size_t size = sizes[i];
    __asm__ volatile("" : "+r"(size));
    node *n = allocate(size, i);
    __asm__ volatile("" : "+r"(n) : : "memory");
    n->next = list;
    n->value = (uintptr_t)i;
    list = n;
  }
  uintptr_t result = list->value;
  release(list);
  return result;
}

int main(int argc, char **argv) {
  int batch = argc == 4 ? atoi(argv[2]) : 0;
  if (batch < 1 || batch > BATCH_MAX || (strcmp(argv[1], "constant") != 0 && strcmp(argv[1], "mixed") != 0)) {
    fprintf(stderr, "usage: %s constant|mixed BATCH ROUNDS (BATCH: 1 to %d objects)\n", argv[0], BATCH_MAX);
    return 2;
  }
  long rounds = atol(argv[3]);
  uint32_t random = 1;
  for (int i = 0; i < BATCH_MAX; i++) {
    random = random * 1664525 + 1013904223;
    sizes[i] = (unsigned short)(sizeof(node) + (random >> 16) % 177); /* 24 to 200 bytes */
  }
  start();
  struct timespec from, to;
  uintptr_t sum = 0;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (long i = 0; i < rounds; i++)
    sum += argv[1][0] == 'c' ? constant_round(batch) : mixed_round(batch);
  clock_gettime(CLOCK_MONOTONIC, &to);
  if (sum != (uintptr_t)rounds * (uintptr_t)(batch - 1)) {
    fprintf(stderr, "wrong sum\n");
    return 1;
  }
  double nanoseconds = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
  printf("%.4f\n", nanoseconds / ((double)rounds * batch));
  return 0;
}
