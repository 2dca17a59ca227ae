// Where the region that a signature names is null, only null may be passed.
// RUN: %each_level --expect-abort -o %t %s %S/../Inputs/signature_list.c
// ABORT: acre: fatal: [[FILE]]:[[@LINE+10]]: in main: inregion pointer may not point into region
// ABORT-SAME: 'r' (created at signature_list.h:22)
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct list allocated at signature_list.c:7
// ABORT-NEXT: wanted: no region, the one that is named is null
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

int main(void) {
  struct regions in = named_regions();
  struct list *list = list_new(in.r, NULL, NULL);
  list_add(list, 1);
  return list->value;
}
