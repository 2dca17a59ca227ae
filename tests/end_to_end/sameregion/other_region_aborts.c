// RUN: %each_level --expect-abort "sameregion" -o %t %s
// A sameregion slot rejects a pointer into another region.
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
};

int main(void) {
  region r = newregion(), s = newregion();
  struct list *a = ralloc(r, struct list), *b = ralloc(s, struct list);
  a->next = b;
}
