// The call of a cleanup function cannot be marked, so it may not delete.
// RUN: %frontend -fsyntax-only -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/region.h>
void drop(region *r) deletes;
void forget(region *r);
void rejected(void) deletes {
  __attribute__((cleanup(drop))) region r = newregion();
  // expected-error@-1 {{'drop' may delete a region and cannot be a cleanup function}}
  (void)r;
}
void accepted(void) deletes {
  __attribute__((cleanup(forget))) region r = newregion();
  drop(&r);
}
