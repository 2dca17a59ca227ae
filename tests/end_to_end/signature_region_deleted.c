// RUN: %each_level --expect-abort "wanted: a region that was deleted" -o %t %s %S/Inputs/signature_list.c
// No pointer is in a region that has been deleted.
#include "Inputs/check.h"
#include "Inputs/signature_list.h"

int main(void) {
  region up = newregion(), r = newsubregion(up), s = newregion();
  acre_region_set_name(up, "up");
  acre_region_set_name(r, "r");
  acre_region_set_name(s, "s");
  struct list *list = list_new(r, NULL, NULL);
  deleteregion(s); list_new(s, list, NULL);
  return list->value;
}
