// Pools below one that all threads know are made, used, handed on and ended by different threads
// without a word to Acre; each object lies in its pool, and nothing is reported that is not one.
// RUN: %each_level -o %t %s %S/Inputs/home.c -- -facre-pools=%S/Inputs/home.map -lpthread
#include "../Inputs/check.h"
#include "Inputs/home.h"

#include <acre/pool.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 2000, WAITING = 64 };

struct job {
  pool *pool;
  struct job *next;
  int number, *numbers;
};

static pool *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *waiting[WAITING];

/* Puts fresh, or nothing, in a place, and returns what was there. */
static struct job *exchange(int place, struct job *fresh) {
  pthread_mutex_lock(&lock);
  struct job *old = waiting[place];
  waiting[place] = fresh;
  pthread_mutex_unlock(&lock);
  return old;
}

static struct job *make(int number) {
  pool *p = pool_create(root);
  struct job *job = pool_alloc(p, sizeof *job);
  job->pool = p;
  job->number = number;
  job->numbers = pool_alloc_array(p, 10, sizeof *job->numbers);
  for (int i = 0; i < 10; i++)
    job->numbers[i] = number + i;
  return job;
}

static void finish(struct job *job) {
  if (!job)
    return;
  CHECK(acre_region_of(job) == acre_region_of_pool(job->pool));
  job->next = pool_alloc(job->pool, sizeof *job);
  CHECK(acre_region_of(job->next) == acre_region_of(job));
  pool *below = pool_create(job->pool);
  struct job *last = pool_alloc(below, sizeof *last);
  last->next = job;
  for (int i = 0; i < 10; i++)
    CHECK(last->next->numbers[i] == job->number + i);
  pool *p = job->pool;
  if (job->number % 3 == 0)
    pool_clear(p);
  pool_destroy(p);
}

static void *work(void *first) {
  int at = *(int *)first;
  for (int i = 0; i < ROUNDS; i++) {
    struct job *job = make(at + i);
    finish(exchange((at * 7 + i) % WAITING, job));
  }
  return NULL;
}

int main(void) {
  root = pool_create(NULL);
  pthread_t threads[THREADS];
  int firsts[THREADS];
  for (int i = 0; i < THREADS; i++) {
    firsts[i] = i * ROUNDS;
    CHECK(pthread_create(&threads[i], NULL, work, &firsts[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < WAITING; i++)
    finish(exchange(i, NULL));
  pool_destroy(root);
  return acre_verify() ? 0 : 1;
}
