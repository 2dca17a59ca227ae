// RUN: %each_level --expect-abort "inregion pointer may not point into region" -o %t %s %S/Inputs/signature_list.c
// An argument in another region than its signature says is refused by the caller.
#include "Inputs/check.h"
#include "Inputs/signature_list.h"

int main(void) {
  region up = newregion(), r = newsubregion(up), s = newregion();
  acre_region_set_name(up, "up");
  acre_region_set_name(r, "r");
  acre_region_set_name(s, "s");
  struct list *list = list_new(r, NULL, NULL);
  list_new(s, list, NULL);
  return list->value;
}
