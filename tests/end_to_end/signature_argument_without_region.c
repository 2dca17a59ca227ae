// RUN: %each_level --expect-abort "wanted: no region, the one that is named is null" -o %t %s %S/Inputs/signature_list.c
// Where the region that a signature names is null, only null may be passed.
#include "Inputs/check.h"
#include "Inputs/signature_list.h"

int main(void) {
  region up = newregion(), r = newsubregion(up), s = newregion();
  acre_region_set_name(up, "up");
  acre_region_set_name(r, "r");
  acre_region_set_name(s, "s");
  struct list *list = list_new(r, NULL, NULL);
  list_add(list, 1);
  return list->value;
}
