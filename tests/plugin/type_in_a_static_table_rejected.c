// A table of descriptors cannot be a constant: the message says what to do instead.
// RUN: not %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %acre-cc -DFILLED -fsyntax-only -Werror %s
#include <acre/region.h>
struct node {
  struct node *next;
};
#ifndef FILLED
// CHECK: error: initializer element is not a compile-time constant
// CHECK: error: a descriptor made with ACRE_TYPE is no constant and cannot initialize 'types'{{.*}} [ACRE-R019]
static const acre_site *const types[] = {ACRE_TYPE(struct node), ACRE_TYPE(int)};
#else
static const acre_site *types[2];
__attribute__((constructor)) static void fill_types(void) {
  types[0] = ACRE_TYPE(struct node);
  types[1] = ACRE_TYPE(int);
}
#endif
void *make(region r, int i);
void *make(region r, int i) { return acre_region_alloc(r, 8, 8, types[i]); }
