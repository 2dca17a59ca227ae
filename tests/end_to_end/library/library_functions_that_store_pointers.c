// strtol, strtok_r, strsep and their like store a pointer into the string for their caller: it
// counts.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"

static char *save, *end, *rest;

static NOINLINE char *local_end(char *text) {
  char *after;
  strtoul(text, &after, 0);
  return after;
}

int main(void) deletes {
  region r = newregion();
  strtok_r(rstrdup(r, "a b c"), " ", &save);
  CHECK_COUNT(r, 1);
  strtol(rstrdup(r, "12x"), &end, 10);
  CHECK_COUNT(r, 2);
  strtod(rstrdup(r, "1.5x"), &end);
  CHECK_COUNT(r, 2);
  rest = rstrdup(r, "a,b");
  CHECK_COUNT(r, 3);
  strsep(&rest, ",");
  CHECK_COUNT(r, 3);
  strsep(&rest, ",");
  CHECK(!rest);
  CHECK_COUNT(r, 2);
  strtol("5", 0, 10);
  strtol("5", &end, 10);
  CHECK_COUNT(r, 1);
  char *after = local_end(rstrdup(r, "7!"));
  CHECK_COUNT(r, 1);
  save = 0;
  DELETE_REFUSED(r);
  CHECK(*after == '!');
  DELETE_ACCEPTED(r);
}
