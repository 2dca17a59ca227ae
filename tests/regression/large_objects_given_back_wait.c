// Each large object that was given back to its pool was searched for at once, through all pools and
// stacks: PostgreSQL took 20 minutes to say in how deep a recursion an error was met.  Now it is
// searched for with others, and what still refers to it leads to what it led to meanwhile.
// RUN: %each_level -o %t %s %S/../end_to_end/pools/Inputs/home.c -- \
// RUN:   -facre-pools=%S/../end_to_end/pools/Inputs/home.map -lpthread
#include "../end_to_end/Inputs/check.h"
#include "../end_to_end/pools/Inputs/home.h"

#include <string.h>

enum { LARGE = 40000, ROUNDS = 2000 };

static char *last;

static size_t reserved(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  return stats.bytes_reserved;
}

static char *make(pool *p, char letter) {
  char *made = pool_alloc(p, LARGE);
  for (int i = 0; i < LARGE; i++)
    CHECK(made[i] == 0);
  memset(made, letter, LARGE);
  return made;
}

int main(void) {
  pool *p = pool_create(NULL);
  last = make(p, 'a');
  pool_give_back(p, last);
  for (int i = 0; i < 20; i++)
    pool_give_back(p, make(p, 'b'));
  CHECK(last[0] == 'a' && last[LARGE - 1] == 'a');
  const size_t before = reserved();
  last = NULL;
  for (int i = 0; i < ROUNDS; i++)
    pool_give_back(p, make(p, 'c'));
  CHECK(reserved() <= before + 8 * LARGE);
  pool_destroy(p);
  return 0;
}
