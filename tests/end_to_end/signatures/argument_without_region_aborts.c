// RUN: %each_level --expect-abort "wanted: no region, the one that is named is null" -o %t %s %S/../Inputs/signature_list.c
// Where the region that a signature names is null, only null may be passed.
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

int main(void) {
  struct regions in = named_regions();
  struct list *list = list_new(in.r, NULL, NULL);
  list_add(list, 1);
  return list->value;
}
