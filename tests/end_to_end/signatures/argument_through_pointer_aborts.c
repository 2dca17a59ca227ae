// A call through a pointer that passes what the signature forbids is refused, at the place that
// took the address.
// RUN: %each_level --expect-abort -o %t %s %S/../Inputs/signature_list.c
// RUN: env ACRE_FLAGS= %acre explain --kept %s -- -O2 -I%S | FileCheck %s
// ABORT: acre: fatal: signature_list.h:11: in list_new: inregion pointer may not point into region
// ABORT-SAME: 's' (created at signature_list.h:22)
// ABORT-NEXT: value {{0x[0-9a-f]+}}: struct list allocated at signature_list.c:7
// ABORT-NEXT: wanted: region 'r' (created at signature_list.h:22)
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

// CHECK: an argument of 'list_new', called through a pointer, may be in another region
// CHECK: call 'list_new' by its name

static struct list *(*const makers[])(region, struct list *, struct list *) = {list_new};

int main(void) {
  struct regions in = named_regions();
  struct list *other = makers[0](in.s, NULL, NULL);
  struct list *list = makers[0](in.r, other, NULL);
  return list->value;
}
