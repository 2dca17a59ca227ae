// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=growth=16K,increment=64,poison %t.O0 4000
// RUN: env ACRE_HEAP=growth=64K,increment=1K,poison %t.O2 60000 3
// RUN: env ACRE_HEAP=growth=256K,poison %t.O2 60000 4
// RUN: env ACRE_HEAP=growth=8K,increment=16,poison,check %t.O2 40 5
// While a collection runs step by step, the program and functions of the C library move pointers
// from where it has not looked yet to where it has: by stores, sorting, copying, reading from a
// pipe, through an integer. Seeds: argument 2.
#include "Inputs/check.h"
#include <unistd.h>

enum { PLACES = 512, BIG = 5000 };
static item **tables[4];
static unsigned state = 1;
static int ends[2];

static unsigned next_random(void) { return state = state * 1664525 + 1013904223, state >> 8; }
static item **place(void) {
  unsigned table = next_random() % 4;
  return &tables[table][next_random() % (table == 3 ? BIG : PLACES)];
}

static int by_number(const void *a, const void *b) {
  const item *x = *(item *const *)a, *y = *(item *const *)b;
  return x && y ? (x->number > y->number) - (x->number < y->number) : !x - !y;
}

/* The only pointer to an object goes from one place to another. */
static void move(item **to, item **from) {
  item *moved;
  switch (next_random() % 6) {
  case 0:
    *to = *from;
    break;
  case 1:
    memcpy(to, from, sizeof *to);
    break;
  case 2: /* the system writes it */
    CHECK(write(ends[1], from, sizeof *from) == sizeof *from &&
          read(ends[0], to, sizeof *to) == sizeof *to);
    break;
  case 3:
    *(volatile unsigned long *)to = *(volatile unsigned long *)from;
    break;
  case 4:
    for (size_t i = 0; i < sizeof *to; i++)
      ((volatile char *)to)[i] = ((volatile char *)from)[i];
    break;
  default:
    moved = *from;
    *from = NULL;
    item *fresh = new_item(next_random());
    fresh->next = moved && moved->next ? moved->next : moved;
    *to = fresh;
  }
  if (to != from)
    *from = NULL;
}

static void expect_whole(void) {
  for (int table = 0; table < 4; table++)
    for (int i = 0; i < (table == 3 ? BIG : PLACES); i++)
      for (item *at = tables[table][i]; at; at = at->next)
        CHECK(at->complement == ~at->number);
}

static void step(void) {
  unsigned choice = next_random() % 64;
  item **a = place(), **b = place();
  if (choice < 32) {
    move(a, b);
  } else if (choice < 60) {
    *a = new_item(next_random());
  } else if (choice == 60) {
    qsort(tables[next_random() % 3], PLACES, sizeof *tables[0], by_number);
  } else if (choice == 61) {
    unsigned table = next_random() % 3;
    tables[table] = realloc(tables[table], (PLACES + next_random() % PLACES) * sizeof *tables[0]);
  } else if (choice == 62) {
    item **copy = malloc(PLACES * sizeof *copy);
    unsigned table = next_random() % 3;
    memmove(copy, tables[table], PLACES * sizeof *copy);
    tables[table] = copy;
  } else {
    free(*a);
    *a = NULL;
  }
}

int main(int count, char **arguments) {
  long rounds = count > 1 ? atol(arguments[1]) : 1000;
  state = count > 2 ? (unsigned)atol(arguments[2]) : 1;
  CHECK(pipe(ends) == 0);
  for (int table = 0; table < 4; table++)
    tables[table] = calloc(table == 3 ? BIG : PLACES, sizeof *tables[0]);
  for (long i = 0; i < rounds; i++) {
    step();
    if (i % 256 == 0)
      expect_whole();
  }
  expect_whole();
  CHECK(acre_collected_check());
}
