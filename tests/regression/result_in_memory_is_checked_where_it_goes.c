// The slots of a result in memory are checked when it is assigned, not when it is made.
// RUN: %each_level --expect-abort "sameregion pointer may not point into region 'other'" -o %t %s
#include <acre/region.h>

struct record {
  struct record *sameregion next;
  long a, b, c;
};

__attribute__((noinline)) static struct record make(region r) {
  struct record made = {0};
  made.next = ralloc(r, struct record);
  return made;
}

int main(void) {
  region r = newregion(), other = newregion();
  acre_region_set_name(other, "other");
  struct record *x = ralloc(r, struct record);
  *x = make(r);
  *x = make(other);
  return x->next != 0;
}
