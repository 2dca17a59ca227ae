// A unit that names no region has short barriers, and they count all the same: with and without
// regions alive, into globals, malloc memory, regions and other frames.
// RUN: %each_level -o %t %s %S/../Inputs/unit_without_regions.c
#include "../Inputs/check.h"
#include "../Inputs/unit_without_regions.h"
#include <stdlib.h>

struct four {
  void *held[4];
};

static void *seen;
static void look(void **local) { seen = *local; }

static void put_back(void **local) { put(local, seen); }

static void into_globals_and_malloc(region r) {
  void *p = ralloc(r, struct four);
  void **slot = malloc(sizeof *slot);
  put(slot, p);
  put_global(p);
  CHECK_COUNT(r, 2);
  put(slot, NULL);
  put_global(slot);
  CHECK_COUNT(r, 0);
  free(slot);
}

static void into_unions_and_records(region r) {
  void *p = ralloc(r, struct four);
  tagged *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
  put_value(one, p);
  copy_value(two, one);
  CHECK_COUNT(r, 2);
  put_number(one, 5);
  CHECK_COUNT(r, 1);
  copy_value(two, one);
  CHECK_COUNT(r, 0);
  pair *from = calloc(1, sizeof *from), *to = calloc(1, sizeof *to);
  put_pair(from, p, p);
  copy_pair(to, from);
  CHECK_COUNT(r, 4);
  clear_pair(from);
  CHECK_COUNT(r, 2);
  copy_pair(to, from);
  CHECK_COUNT(r, 0);
  free(one), free(two), free(from), free(to);
}

static void into_regions(region r, region other) {
  struct four *near = ralloc(r, struct four), *far = ralloc(other, struct four);
  put_each(near->held, 4, far);
  CHECK_COUNT(other, 4);
  put_each(near->held, 4, near);
  CHECK_COUNT(other, 0);
  CHECK_COUNT(r, 0);
  put(&far->held[3], near);
  CHECK_COUNT(r, 1);
  put_each(far->held, 4, NULL);
  CHECK_COUNT(r, 0);
}

static void into_frames(region r) {
  seen = NULL;
  void *p = ralloc(r, struct four);
  CHECK(with_local(p, look));
  CHECK(with_local(p, put_back) == (seen == p));
  seen = NULL;
  CHECK_COUNT(r, 0);
}

int main(void) deletes {
  void *before;
  put(&before, &before);
  put_global(&before);
  region r = newregion(), other = newregion();
  into_globals_and_malloc(r);
  into_unions_and_records(r);
  into_regions(r, other);
  into_frames(r);
  void *p = ralloc(r, struct four);
  put_global(p);
  p = NULL;
  DELETE_REFUSED(r);
  put_global(NULL);
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(other);
}
