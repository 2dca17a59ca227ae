/* mutator.c - a program that stores, moves, frees and forgets objects at random, in threads and in
 * children of fork, and knows what each of them must hold.
 *
 *   mutator SEED OPERATIONS THREADS
 *
 * Compiled with -facre-malloc=collected.  Each object has an identity, and each pointer to one has
 * that identity beside it: an object that was reclaimed although something refers to it does not
 * have it any more.  free and realloc are called for objects that are still in use: they keep what
 * they held.  Where a pointer is: on stacks, in thread-local and global variables, in memory from
 * mmap, in objects.  Threads share objects, and a link is more than a word: one that lies in an
 * object is read and written under a lock, for half of one link and half of another would look
 * like an object that was lost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  THREADS_MOST = 8,
  GENERATIONS = 3,
  PLACES = 5,
  PLACE = 24,
  SLOTS_MOST = 40,
  WALK_MOST = 300,
  LOCKS = 8,
  PAGE = 8192
};

typedef struct object object;

/* A pointer to an object, or if is_end the address one past its end. */
typedef struct link {
  void *to;
  uint64_t id;
  uint32_t size, is_end;
} link_to;

struct object {
  uint64_t id, complement;
  uint32_t size, slot_count;
  link_to slots[];
};

typedef struct mutator {
  uint64_t state;
  unsigned number;
  link_to *places[PLACES];
} mutator;

static link_to global[THREADS_MOST][PLACE], shared[PLACE];
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER, link_locks[LOCKS];
static _Thread_local link_to own[PLACE];
static uint64_t seed;
static long operations;

static uint64_t any(mutator *m, uint64_t limit) {
  m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (m->state >> 33) % limit;
}

_Noreturn static void fail(const mutator *m, const char *what, const link_to *l) {
  fprintf(stderr, "mutator: thread %u: %s: %p should be object %llx of %u bytes\n", m->number, what,
          l->to, (unsigned long long)l->id, l->size);
  abort();
}

static object *object_of(const link_to *l) {
  return (object *)((char *)l->to - (l->is_end ? l->size : 0));
}

static void check(const mutator *m, const link_to *l) {
  const object *o = object_of(l);
  if (o->id != l->id || o->complement != ~l->id || o->size != l->size)
    fail(m, "another identity", l);
  const unsigned char *tail = (const unsigned char *)&o->slots[o->slot_count],
                      *end = (const unsigned char *)o + o->size;
  if (tail < end && (tail[0] != (unsigned char)l->id || end[-1] != (unsigned char)l->id ||
                     tail[(end - tail) / 2] != (unsigned char)l->id))
    fail(m, "another content", l);
}

static pthread_mutex_t *lock_of(const link_to *at) {
  return &link_locks[(uintptr_t)at / sizeof(link_to) % LOCKS];
}

static link_to load(const link_to *at) {
  pthread_mutex_lock(lock_of(at));
  link_to l = *at;
  pthread_mutex_unlock(lock_of(at));
  return l;
}

static void store(link_to *at, link_to l) {
  pthread_mutex_lock(lock_of(at));
  *at = l;
  pthread_mutex_unlock(lock_of(at));
}

static void lock_links(void) {
  for (size_t i = 0; i < LOCKS; i++)
    pthread_mutex_lock(&link_locks[i]);
}

static void unlock_links(void) {
  for (size_t i = 0; i < LOCKS; i++)
    pthread_mutex_unlock(&link_locks[i]);
}

/* From one object to the next, as far as luck has it. */
static void walk(mutator *m, link_to l) {
  for (int i = 0; i < WALK_MOST && l.to; i++) {
    check(m, &l);
    const object *o = object_of(&l);
    if (!o->slot_count)
      return;
    l = load(&o->slots[any(m, o->slot_count)]);
  }
}

static size_t any_size(mutator *m) {
  switch (any(m, 64)) {
  case 0:
    return any(m, 300000);
  case 1:
    return (1 + any(m, 8)) * PAGE;
  case 2:
  case 3:
    return any(m, 3 * PAGE);
  default:
    return any(m, any(m, 8) ? 200 : 4200);
  }
}

static link_to make(mutator *m) {
  size_t size = any_size(m), slots = any(m, 4) ? any(m, 4) : any(m, SLOTS_MOST),
         least = sizeof(object) + slots * sizeof(link_to);
  size = size < least ? least : size;
  object *o = any(m, 2) ? malloc(size) : calloc(1, size);
  if (!o) {
    fprintf(stderr, "mutator: no memory for %zu bytes\n", size);
    exit(2);
  }
  link_to l = {o, any(m, UINT64_MAX) << 3 | m->number, (uint32_t)size, 0};
  o->id = l.id;
  o->complement = ~l.id;
  o->size = (uint32_t)size;
  o->slot_count = (uint32_t)slots;
  memset(o->slots, 0, slots * sizeof(link_to));
  memset(&o->slots[slots], (unsigned char)l.id, size - least);
  if (any(m, 4) == 0) {
    l.is_end = 1;
    l.to = (char *)o + size;
  }
  return l;
}

static link_to *any_place(mutator *m) { return &m->places[any(m, PLACES)][any(m, PLACE)]; }

/* What realloc leaves behind is an object still.  It reads all links of the object. */
static void move_object(mutator *m, link_to *l) {
  if (!l->to || l->size > PAGE)
    return;
  uint32_t size = l->size;
  lock_links();
  object *o = realloc(object_of(l), size + any(m, 2) * size);
  unlock_links();
  *l = (link_to){o, l->id, size, 0};
  walk(m, *l);
}

static void link_objects(mutator *m) {
  link_to *from = any_place(m);
  if (!from->to || !object_of(from)->slot_count)
    return;
  object *o = object_of(from);
  link_to *at = &o->slots[any(m, o->slot_count)];
  store(at, any(m, 8) ? *any_place(m) : (link_to){0});
}

/* A slot of an object some steps away; null if there is none. */
static link_to *any_slot(mutator *m) {
  link_to *at = any_place(m);
  for (uint64_t i = 1 + any(m, 12); i > 0; i--) {
    link_to l = load(at);
    if (!l.to || !object_of(&l)->slot_count)
      return NULL;
    object *o = object_of(&l);
    at = &o->slots[any(m, o->slot_count)];
  }
  return at;
}

/* Objects that nothing else may refer to change their places. */
static void swap_slots(mutator *m) {
  for (int i = 0; i < 4; i++) {
    link_to *a = any_slot(m), *b = any(m, 4) ? any_slot(m) : any_place(m);
    if (!a || !b)
      continue;
    link_to kept = load(a);
    store(a, load(b));
    store(b, kept);
  }
}

static void exchange(mutator *m) {
  link_to *mine = any_place(m), l;
  pthread_mutex_lock(&shared_lock);
  link_to *theirs = &shared[any(m, PLACE)];
  l = *theirs;
  *theirs = *mine;
  *mine = l;
  pthread_mutex_unlock(&shared_lock);
  walk(m, l);
}

static void check_all(mutator *m) {
  for (size_t i = 0; i < PLACES; i++)
    for (size_t k = 0; k < PLACE; k++)
      walk(m, m->places[i][k]);
}

static void step(mutator *m) {
  unsigned kind = (unsigned)any(m, 100);
  if (kind < 30)
    *any_place(m) = make(m);
  else if (kind < 50)
    link_objects(m);
  else if (kind < 65)
    swap_slots(m);
  else if (kind < 75)
    walk(m, *any_place(m));
  else if (kind < 82)
    *any_place(m) = *any_place(m);
  else if (kind < 88)
    *any_place(m) = (link_to){0};
  else if (kind < 92)
    exchange(m);
  else if (kind < 96)
    move_object(m, any_place(m));
  else {
    link_to *l = any_place(m);
    if (l->to)
      free(object_of(l));
  }
}

/* The child has this thread alone, and what it could reach.  Nobody else may hold a lock when it
   is made: nobody would release it there. */
static void fork_one(mutator *m) {
  fflush(NULL);
  pthread_mutex_lock(&shared_lock);
  lock_links();
  pid_t child = fork();
  unlock_links();
  pthread_mutex_unlock(&shared_lock);
  if (child == 0) {
    for (long i = 0; i < 2000; i++)
      step(m);
    check_all(m);
    _exit(0);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (child > 0 && status != 0) {
    fprintf(stderr, "mutator: thread %u: the child of fork ended with status %#x\n", m->number,
            (unsigned)status);
    abort();
  }
}

static void *run(void *number) {
  link_to on_stack[PLACE] = {0}, *in_object = calloc(PLACE, sizeof *in_object);
  link_to *mapped = mmap(NULL, PLACE * sizeof *mapped, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mutator m = {seed * 1000003 + (uintptr_t)number,
               (unsigned)(uintptr_t)number % THREADS_MOST,
               {on_stack, in_object, mapped, own, NULL}};
  m.places[4] = global[m.number];
  for (long i = 0; i < operations; i++) {
    step(&m);
    if (i % 20000 == 19999)
      fork_one(&m);
  }
  check_all(&m);
  munmap(mapped, PLACE * sizeof *mapped);
  return NULL;
}

int main(int count, char **values) {
  if (count != 4) {
    fprintf(stderr, "usage: mutator SEED OPERATIONS THREADS\n");
    return 2;
  }
  seed = strtoull(values[1], NULL, 0);
  operations = atol(values[2]) / GENERATIONS;
  uintptr_t threads = strtoul(values[3], NULL, 0);
  threads = threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : threads;
  for (size_t i = 0; i < LOCKS; i++)
    pthread_mutex_init(&link_locks[i], NULL);
  for (uintptr_t generation = 0; generation < GENERATIONS; generation++) {
    pthread_t started[THREADS_MOST];
    for (uintptr_t i = 1; i < threads; i++)
      if (pthread_create(&started[i], NULL, run, (void *)(generation * THREADS_MOST + i)) != 0)
        abort();
    run((void *)(generation * THREADS_MOST));
    for (uintptr_t i = 1; i < threads; i++)
      pthread_join(started[i], NULL);
  }
  return 0;
}
