// RUN: %each_level --expect-abort "sameregion" -o %t %s
// memcpy into a region checks the sameregion fields that it writes.
#include "../Inputs/check.h"

struct list {
  long key;
  struct list *sameregion next;
};

int main(void) {
  region r = newregion(), s = newregion();
  struct list *a = rarrayalloc(r, 4, struct list), *b = rarrayalloc(s, 4, struct list);
  memcpy(b, a, 4 * sizeof *a);
  a[3].next = a;
  memcpy(b, a, 3 * sizeof *a);
  memcpy(b, a, 4 * sizeof *a);
}
