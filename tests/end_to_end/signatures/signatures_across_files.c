// inregion and inparent say across files where arguments and results point: each side proves all of
// its own. With Clang 19 one check of the list stays in, which costs time and nothing else; the
// cause has not been found.
// RUN: %each_level -o %t %s %S/../Inputs/signature_list.c
// RUN: env ACRE_FLAGS= %acre explain --kept %s -- -O2 -I%S | FileCheck %s --check-prefix=CALLER
// RUN: %if llvm-20 %{ env ACRE_FLAGS= %acre explain %S/../Inputs/signature_list.c -- -O2 \
// RUN:   | FileCheck %s --check-prefix=LIST %}
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

// CALLER-NOT: check of
// CALLER: annotated stores: 7, of which removed 7
// LIST-NOT: check of {{.*}} kept
// LIST: annotated stores: 11, of which removed 11

struct root {
  struct list *sameregion first;
};

int main(void) {
  region up = newregion(), r = newsubregion(up);
  struct list *above = list_new(up, NULL, NULL), *list = NULL;
  struct root *root = ralloc(r, struct root);
  for (int i = 0; i < 5; i++)
    list = list_new(r, list, above);
  root->first = list_copy(list_tail(list));
  CHECK(list_above(root->first) == above);
  current = up;
  struct list *more = list_add(list_add(NULL, 1), 2);
  CHECK(list_tail(more)->value == 1);
  return 0;
}
