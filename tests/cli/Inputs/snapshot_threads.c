/* Threads make regions of all kinds and delete them while another takes snapshots. */
#include <acre/region.h>
#include <acre/snapshot.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  struct node *kids[3];
  int value;
};

enum { THREADS = 3 };
static volatile int is_over;

static void fill(region r, region below, struct node **last) {
  for (int i = 0; i < 300; i++) {
    struct node *n = ralloc(i % 3 ? r : below, struct node);
    n->next = *last;
    n->kids[i % 3] = *last;
    *last = n;
    rstrdup(r, "some text");
  }
  struct node **array = rarrayalloc(below, 5000, struct node *);
  for (int i = 0; i < 5000; i += 100)
    array[i] = *last;
  rarrayextend(below, array, 9000, struct node *);
}

static void *work(void *argument) deletes {
  (void)argument;
  while (!is_over) {
    region r = newregion(), below = newsubregion(r);
    struct node *last = NULL;
    acre_region_set_name(r, "work");
    fill(r, below, &last);
    last = NULL;
    struct node *single = ralloc(r, struct node);
    acre_region_release(r, single);
    region both[] = {r, below};
    deleteregion_array(2, both);
  }
  return NULL;
}

int main(int count, char **values) deletes {
  pthread_t threads[THREADS];
  const int rounds = count > 2 ? atoi(values[2]) : 50;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < rounds; i++)
    if (!acre_snapshot(values[1]))
      return 1;
  is_over = 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
