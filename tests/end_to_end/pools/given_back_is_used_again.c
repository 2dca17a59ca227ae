// A pool that lives long, and gets as much back as it gives out, stays small; and what was given
// back keeps its contents as long as anything still points to it: a variable, an object of the pool
// or of one below it, a local, or another such object.
// RUN: %each_level -o %t %s %S/Inputs/home.c -- -facre-pools=%S/Inputs/home.map -lpthread
#include "../Inputs/check.h"
#include "Inputs/home.h"

#include <acre/pool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct item {
  struct item *other;
  unsigned number, twice, size;
  unsigned char bytes[];
};

enum { LIVE = 40, HELD = 12, ROUNDS = 20000 };

static uint64_t state = 1;
static unsigned next_below(unsigned bound) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(state >> 33) % bound;
}

static struct item *make(pool *p) {
  const unsigned size = next_below(8) == 0 ? next_below(3000) : next_below(100);
  struct item *item = pool_alloc(p, sizeof *item + size);
  CHECK(!item->other && !item->number && !item->size);
  for (unsigned i = 0; i < size; i++)
    CHECK(!item->bytes[i]);
  item->number = next_below(1000000) + 1;
  item->twice = item->number * 2;
  item->size = size;
  memset(item->bytes, (int)item->number & 0xff, size);
  return item;
}

static void check(const struct item *item, unsigned number) {
  CHECK(item->number == number && number && item->twice == number * 2);
  for (unsigned i = 0; i < item->size; i++)
    CHECK(item->bytes[i] == (item->number & 0xff));
}

/* A pointer to what was given back, and the number that it had. */
struct holder {
  struct item *item;
  unsigned number;
};
static struct holder of_program[HELD];
struct table {
  struct holder of_pool[HELD];
};

static void hold(struct holder *holder, struct item *item) {
  if (holder->item)
    check(holder->item, holder->number);
  /* Every other one is reached only through one that was given back too. */
  struct item *last = holder->item;
  holder->item = item;
  holder->number = item->number;
  if (last && last != item && next_below(2))
    item->other = last;
}

static void check_chain(const struct holder *holder) {
  if (!holder->item)
    return;
  check(holder->item, holder->number);
  const struct item *other = holder->item->other;
  for (int i = 0; other && i < 4; i++, other = other->other)
    check(other, other->number);
}

static void keep_changing(pool *p, struct table *mine, struct table *below) {
  struct item *live[LIVE] = {0};
  struct holder of_frame = {0};
  for (int i = 0; i < ROUNDS; i++) {
    struct item **place = &live[next_below(LIVE)];
    if (*place) {
      check(*place, (*place)->number);
      struct holder *holders[] = {of_program, mine->of_pool, below->of_pool, &of_frame};
      const unsigned kind = next_below(12);
      if (kind < 3)
        hold(&holders[kind][next_below(HELD)], *place);
      else if (kind == 3)
        hold(&of_frame, *place);
      pool_give_back(p, *place);
    }
    *place = make(p);
    if (next_below(50) == 0)
      of_program[next_below(HELD)] = (struct holder){0};
    if (next_below(100) == 0)
      for (int k = 0; k < HELD; k++) {
        check_chain(&of_program[k]);
        check_chain(&mine->of_pool[k]);
        check_chain(&below->of_pool[k]);
      }
    check_chain(&of_frame);
  }
}

/* As much is given back as is made. */
static void stay_small(void) {
  pool *p = pool_create(NULL);
  acre_stats before, after;
  for (int i = 0; i < 50000; i++) {
    if (i == 100)
      acre_get_stats(&before);
    char *bytes = pool_alloc(p, 1024);
    CHECK(bytes[0] == 0 && bytes[1023] == 0);
    memset(bytes, 1, 1024);
    pool_give_back(p, bytes);
  }
  acre_get_stats(&after);
  CHECK(after.bytes_reserved <= before.bytes_reserved + (64 << 10));
  pool_destroy(p);
}

int main(void) {
  stay_small();
  pool *p = pool_create(NULL), *sub = pool_create(p);
  keep_changing(p, pool_alloc(p, sizeof(struct table)), pool_alloc(sub, sizeof(struct table)));
  pool_destroy(p);
  return 0;
}
