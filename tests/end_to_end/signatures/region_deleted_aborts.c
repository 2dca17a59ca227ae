// RUN: %each_level --expect-abort "wanted: a region that was deleted" -o %t %s %S/../Inputs/signature_list.c
// No pointer is in a region that has been deleted.
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

int main(void) {
  struct regions in = named_regions();
  struct list *list = list_new(in.r, NULL, NULL);
  deleteregion(in.s); list_new(in.s, list, NULL);
  return list->value;
}
