// SPDX-License-Identifier: MIT
// Takes a snapshot of 10^7 objects of 100 bytes in 100 regions and says how long that took.
//
// usage: objects FILE [references]
//   references: each object but the first of its region points into another region
#include <acre/region.h>
#include <acre/snapshot.h>

#include <stdio.h>
#include <time.h>

enum { REGIONS = 100, OBJECTS = 100000 };

struct node {
  struct node *next;
  char data[92];
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The last object of a region full of them. */
static struct node *fill(region r, struct node *before, int is_referring) {
  struct node *last = before;
  for (int i = 0; i < OBJECTS; i++) {
    struct node *n = ralloc(r, struct node);
    n->next = is_referring ? before : last;
    last = n;
  }
  return last;
}

int main(int count, char **values) deletes {
  struct node *last = NULL;
  if (count < 2)
    return 2;
  for (int i = 0; i < REGIONS; i++)
    last = fill(newregion(), last, count > 2);
  acre_stats stats;
  acre_get_stats(&stats);
  const double begin = seconds();
  const bool is_written = acre_snapshot(values[1]);
  printf("%zu objects, %zu MB of pages: %.2f s\n", stats.objects, stats.bytes_reserved >> 20,
         seconds() - begin);
  return is_written ? 0 : 1;
}
