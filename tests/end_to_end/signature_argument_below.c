// RUN: %each_level --expect-abort "inparent pointer may not point into region" -o %t %s %S/Inputs/signature_list.c
// An argument in a region below the one that inparent names is refused.
#include "Inputs/check.h"
#include "Inputs/signature_list.h"

int main(void) {
  region up = newregion(), r = newsubregion(up), s = newregion();
  acre_region_set_name(up, "up");
  acre_region_set_name(r, "r");
  acre_region_set_name(s, "s");
  struct list *list = list_new(r, NULL, NULL);
  list_new(up, NULL, list);
  return list->value;
}
