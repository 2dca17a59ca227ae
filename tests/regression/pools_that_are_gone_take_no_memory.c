// The table of pools was made anew whenever the pools of the past had filled half of it, and each
// former table stayed: a server grew by 40 bytes with each request.
// RUN: %acre-cc -O1 %s %S/../end_to_end/pools/Inputs/home.c -o %t \
// RUN:   -facre-pools=%S/../end_to_end/pools/Inputs/home.map && %t
#include "../end_to_end/Inputs/check.h"
#include "../end_to_end/pools/Inputs/home.h"

#include <stdio.h>

enum { LIVE = 32, BLOCKS = 1000 };

static pool *live[LIVE];
static void *blocks[BLOCKS];

static size_t pages_of_addresses(void) {
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%zu", &pages) == 1);
  fclose(file);
  return pages;
}

/* Blocks of malloc in between, so that pools come to lie at many addresses. */
static void make_and_end(int rounds) {
  for (int i = 0; i < rounds; i++) {
    pool **place = &live[i % LIVE];
    if (*place)
      pool_destroy(*place);
    free(blocks[i % BLOCKS]);
    blocks[i % BLOCKS] = malloc((size_t)(i % 7) * 16 + 1);
    *place = pool_create(NULL);
  }
}

int main(void) {
  make_and_end(10000);
  const size_t before = pages_of_addresses();
  make_and_end(100000);
  CHECK(pages_of_addresses() < before + 100);
  return 0;
}
