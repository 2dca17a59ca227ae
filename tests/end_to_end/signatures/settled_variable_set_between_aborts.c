// A function that is deletes relies on nothing: the variable names another region after a call that
// sets it.
// RUN: %each_level --expect-abort -o %t %s %S/../Inputs/settled_unit.c
// ABORT: acre: fatal: [[FILE]]:[[@LINE+21]]: in link_both: sameregion pointer may not point into
// ABORT-SAME: region 'unit' (created at settled_unit.c:8)
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct name allocated at settled_unit.c:13
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct name allocated at settled_unit.c:13 in
// ABORT-SAME: region 'unit' (created at settled_unit.c:8)
// ABORT-NEXT: held by region 'unit' (created at settled_unit.c:8)
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
