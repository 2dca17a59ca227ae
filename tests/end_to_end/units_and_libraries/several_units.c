// Counts stay right when types, inline functions, globals and deletes functions cross translation
// units.
// RUN: %each_level -o %t %s %S/../Inputs/unit_list.c %S/../Inputs/unit_keep.c
#include "../Inputs/check.h"
#include "../Inputs/units.h"

int main(void) deletes {
  region r = newregion(), other = newregion();
  struct list *l = 0;
  for (int i = 0; i < 10; i++)
    l = list_cons(r, new_node(r), l);
  CHECK(list_length(l) == 10);
  CHECK_COUNT(r, 0);
  keep(l);
  CHECK_COUNT(r, 1);
  keep_in(&kept_elsewhere, l);
  CHECK_COUNT(r, 2);
  CHECK(!destroy(r));
  CHECK(list_length(l) == 10);
  CHECK(list_length(kept()) == 10);
  keep(0);
  kept_elsewhere = 0;
  CHECK(destroy(r));
  CHECK(destroy(other));
}
