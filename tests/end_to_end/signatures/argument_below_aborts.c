// RUN: %each_level --expect-abort "inparent pointer may not point into region" -o %t %s %S/../Inputs/signature_list.c
// An argument in a region below the one that inparent names is refused.
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

int main(void) {
  struct regions in = named_regions();
  struct list *list = list_new(in.r, NULL, NULL);
  list_new(in.up, NULL, list);
  return list->value;
}
