// An argument in a region below the one that inparent names is refused.
// RUN: %each_level --expect-abort -o %t %s %S/../Inputs/signature_list.c
// ABORT: acre: fatal: [[FILE]]:[[@LINE+10]]: in main: inparent pointer may not point into region
// ABORT-SAME: 'r' (created at signature_list.h:22)
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct list allocated at signature_list.c:7
// ABORT-NEXT: wanted: region 'up' (created at signature_list.h:21)
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

int main(void) {
  struct regions in = named_regions();
  struct list *list = list_new(in.r, NULL, NULL);
  list_new(in.up, NULL, list);
  return list->value;
}
