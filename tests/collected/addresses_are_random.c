// RUN: %acre-cc -O1 -facre-malloc=collected %s -o %t
// RUN: for i in 1 2 3 4 5 6 7 8 9 10; do %t; done | grep heap | sort -u | wc -l | FileCheck %s \
// RUN:   --check-prefix=TEN
// RUN: for i in 1 2 3 4 5 6 7 8 9 10; do %t; done | grep region | sort -u | wc -l | FileCheck %s \
// RUN:   --check-prefix=TEN
// RUN: for i in 1 2 3; do setarch -R %t; done | sort -u | wc -l | FileCheck %s --check-prefix=TWO
// RUN: bash -c 'ulimit -v 3000000; %t'
// RUN: %acre-cc -O1 -DWITHOUT_HEAP %s -o %t.plain
// RUN: for i in 1 2 3 4 5 6 7 8 9 10; do %t.plain; done | sort -u | wc -l | FileCheck %s \
// RUN:   --check-prefix=TEN
// RUN: %acre-cc -O1 -DWITHOUT_HEAP -fsanitize=address %s -o %t.asan && %t.asan
// RUN: %acre-cc -O1 -DWITHOUT_HEAP -fsanitize=thread %s -o %t.tsan && %t.tsan
// TEN: {{^}}10{{$}}
// TWO: {{^}}2{{$}}
// The window of regions is aligned, so that it lay at one of two addresses, and the heap beside
// it: one of four runs had the same addresses as another.  Without randomisation they are the
// same each time.
#include "Inputs/check.h"
#include <acre/region.h>

int main(void) {
  region r = newregion();
  char *in_region = rstralloc(r, 8);
  strcpy(in_region, "text");
#ifndef WITHOUT_HEAP
  char *in_heap = malloc(8);
  CHECK(in_heap && acre_collected_owns(in_heap) && !acre_collected_owns(in_region));
  printf("heap %p\n", (void *)in_heap);
#endif
  printf("region %p\n", (void *)in_region);
}
