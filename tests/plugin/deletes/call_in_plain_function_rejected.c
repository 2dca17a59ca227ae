// Who calls a function that may delete, may delete.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/region.h>
void drop(region r) deletes;
typedef void (*callback)(region) deletes;

void direct(region r) {
  drop(r);
  // expected-error@-1 {{call of 'drop', which may delete a region, in 'direct', which is not \
declared 'deletes'}}
}
void by_macro(region r) {
  deleteregion(r);
  // expected-error@-1 {{call of 'acre_region_delete', which may delete a region, in 'by_macro'}}
}
void indirect(callback c, region r) {
  c(r);
  // expected-error@-1 {{call of a function that may delete a region in 'indirect', which is not \
declared 'deletes'}}
  (*c)(r); // expected-error {{call of a function that may delete a region}}
}
void declared_before(region r);
// expected-note@-1 {{this declaration of 'declared_before' needs 'deletes' too}}
void declared_before(region r) {
  if (r)
    drop(r); // expected-error {{call of 'drop'}}
}

void direct_accepted(region r) deletes { drop(r); }
void indirect_accepted(callback c, region r) deletes { c(r); }
unsigned long unevaluated(region r) { return sizeof(deleteregion(r)); }
int main(void) { deleteregion(newregion()); }
