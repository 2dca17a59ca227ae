/* SPDX-License-Identifier: MIT */
/* producer.c - as xmalloc-test: threads allocate blocks of 40 to 512 bytes, in batches that others
 * free.  With one thread, that one frees what it has allocated before.
 */
#include "shape.h"

enum { BATCH = 120, QUEUE = 64 };

typedef struct batch {
  unsigned char *blocks[BATCH];
} batch;

static batch *queue[QUEUE];
static size_t queued, taken, pairs, batches, sums[THREADS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER, has_batch = PTHREAD_COND_INITIALIZER;

static batch *make_batch(uint64_t *random) {
  batch *b = malloc(sizeof *b);
  for (size_t i = 0; i < BATCH; i++)
    b->blocks[i] = make_block(size_between(random, 40, 512));
  return b;
}

static size_t free_batch(batch *b) {
  size_t sum = 0;
  for (size_t i = 0; i < BATCH; i++) {
    sum += b->blocks[i][0];
    free(b->blocks[i]);
  }
  free(b);
  return sum;
}

static void produce(uint64_t random, size_t count) {
  for (; count > 0; count--) {
    batch *b = make_batch(&random);
    pthread_mutex_lock(&lock);
    while (queued - taken == QUEUE)
      pthread_cond_wait(&has_room, &lock);
    queue[queued++ % QUEUE] = b;
    pthread_cond_signal(&has_batch);
    pthread_mutex_unlock(&lock);
  }
}

static size_t consume(size_t count) {
  size_t sum = 0;
  for (; count > 0; count--) {
    pthread_mutex_lock(&lock);
    while (queued == taken)
      pthread_cond_wait(&has_batch, &lock);
    batch *b = queue[taken++ % QUEUE];
    pthread_cond_signal(&has_room);
    pthread_mutex_unlock(&lock);
    sum += free_batch(b);
  }
  return sum;
}

static void *work(void *number) {
  size_t i = (uintptr_t)number;
  if (i >= pairs)
    sums[i] = consume(batches);
  else
    produce(i + 1, batches);
  return NULL;
}

static size_t work_alone(size_t count) {
  uint64_t random = 1;
  size_t sum = 0;
  for (size_t i = 0; i < count + QUEUE; i++) {
    if (i >= QUEUE)
      sum += free_batch(queue[i % QUEUE]);
    if (i < count)
      queue[i % QUEUE] = make_batch(&random);
  }
  return sum;
}

int main(int argc, char **argv) {
  size_t threads = number_of(argc, argv, 1, 1), sum = 0;
  pairs = threads / 2;
  batches = number_of(argc, argv, 2, 3000000) / BATCH / (pairs ? pairs : 1);
  if (pairs == 0)
    sum = work_alone(batches);
  else
    run_threads(pairs * 2, work);
  for (size_t i = 0; i < threads; i++)
    sum += sums[i];
  return report(sum);
}
