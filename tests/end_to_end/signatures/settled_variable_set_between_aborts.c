// RUN: %each_level --expect-abort "sameregion" -o %t %s %S/../Inputs/settled_unit.c
// A function that is deletes relies on nothing: the variable names another region after a call that sets it.
#include "../Inputs/check.h"
#include "../Inputs/settled_unit.h"

static region kept;

NOINLINE static void begin_beside(void) deletes {
  kept = unit;
  unit = NULL;
  unit_begin();
}

NOINLINE static void link_both(void) deletes {
  struct name *before = name_new();
  begin_beside();
  struct name *after = name_new();
  before->next = after;
}

int main(void) {
  unit_begin();
  link_both();
  return kept == unit;
}
