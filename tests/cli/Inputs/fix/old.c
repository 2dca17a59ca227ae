#include "item.h"
#include <acre/acre.h>

static void (*const table[])(struct item *) = {item_end};

static action later;
static int twice(a, b)
  struct item *a, *b;
{
  later(a);
  table[0](b);
  return 2;
}
static void later(struct item *x) { item_end(x); }

struct operations { visitor one; int (*two)(); };
static struct operations known = {item_end, twice};

void each(visitor visit, struct item *first) {
  (void)first;
  visit(item_new("a"));
  known.one(item_new("b"));
  known.two(item_new("c"), item_new("d"));
}
