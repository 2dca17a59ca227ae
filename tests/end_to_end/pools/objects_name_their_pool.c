// Functions of a pool that are given an object and no pool do what they did: to resize it, to tell
// its pool, how much it takes, how much a pool has and whether it is empty; and what a function
// refuses to give it refuses with a map too.
// RUN: %each_level -o %t %s %S/Inputs/headed.c -- -DCOUNTED -facre-pools=%S/Inputs/headed.map
// RUN: %acre-cc -O2 -fno-acre %s %S/Inputs/headed.c -o %t.plain && %t.plain
#include "../Inputs/check.h"
#include "Inputs/headed.h"

#include <acre/pool.h>
#include <stdint.h>
#include <string.h>

struct item {
  struct item *next;
  uintptr_t number;
};

static struct item *items; // is what refers to an array while it is moved

static bool lies_in(const void *object, const context *c) {
  return acre_region_of(object) == acre_region_of_pool(c);
}

static void check_items(size_t count) {
  for (size_t i = 0; i < count; i++)
    CHECK(items[i].number == i && items[i].next == &items[i / 2]);
}

static void fill_items(size_t from, size_t to) {
  for (size_t i = 0; i < to; i++) {
    CHECK(i < from || (items[i].number == 0 && !items[i].next));
    items[i] = (struct item){&items[i / 2], i};
  }
}

static void grow_and_shrink(context *c, bool is_small) {
  size_t count = 1;
  items = take(sizeof *items);
  fill_items(0, 1);
  for (int i = 0; i < (is_small ? 8 : 15); i++) {
    // What lies behind keeps the array from growing where it is.
    char *behind = i % 2 ? take(3) : NULL;
    const struct item *before = items;
    items = resize(items, count * 2 * sizeof *items);
    const struct item *last = &items[count - 1];
    CHECK(last->number == count - 1 && last->next == &before[(count - 1) / 2]);
    CHECK(!is_context_empty(c) && context_total(c) >= count * 2 * sizeof *items);
    memset(&items[count], 0, count * sizeof *items);
    count *= 2;
    fill_items(count, count);
    check_items(count);
    CHECK(context_of(items) == c && space_of(items) >= count * sizeof *items);
    COUNTED_ONLY(lies_in(items, c));
    if (behind)
      give_back(behind);
  }
  items = resize(items, 2 * sizeof *items);
  CHECK(items[1].number == 1 && space_of(items) < 10 * sizeof *items);
  give_back(items);
  items = NULL;
}

static void refuse_too_much(context *c) {
  CHECK(!take((size_t)LARGEST + 1) && !take(SIZE_MAX));
  char *text = take(100);
  strcpy(text, "it stays");
  CHECK(!resize(text, (size_t)LARGEST + 1) && strcmp(text, "it stays") == 0);
  text = resize_any(text, (size_t)LARGEST + 1);
  CHECK(strcmp(text, "it stays") == 0 && context_of(text) == c);
  char *large = take_any(c, (size_t)LARGEST * 2);
  CHECK(context_of(large) == c && space_of(large) >= (size_t)LARGEST * 2);
  COUNTED_ONLY(lies_in(large, c) && lies_in(text, c));
  give_back(large);
}

int main(void) {
  context *one = context_new(), *other = context_new();
  CHECK(is_context_empty(one) && context_total(one) == 0);
  for (int i = 0; i < 30; i++) {
    current = i % 2 ? one : other;
    grow_and_shrink(current, i % 3);
    refuse_too_much(current);
    CHECK(!is_context_empty(current));
    if (i % 5 == 0) {
      context_reset(current);
      CHECK(is_context_empty(current) && context_total(current) == 0);
    }
  }
  // Not of a region: nothing was asked for.
  current = one;
  char *nothing = take(0);
  CHECK(context_of(nothing) == one && space_of(nothing) > 0);
  nothing = resize(nothing, 200);
  memset(nothing, 1, 200);
  give_back(nothing);
  context_delete(one);
  context_delete(other);
  return 0;
}
