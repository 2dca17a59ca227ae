// RUN: %each_level --expect-abort "inregion pointer may not point into region" -o %t %s %S/../Inputs/signature_list.c
// An argument in another region than its signature says is refused by the caller.
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

int main(void) {
  struct regions in = named_regions();
  struct list *list = list_new(in.r, NULL, NULL);
  list_new(in.s, list, NULL);
  return list->value;
}
