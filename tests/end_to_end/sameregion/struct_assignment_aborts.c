// RUN: %each_level --expect-abort "sameregion" -o %t %s
// Struct assignment into a region checks the sameregion fields that it copies.
#include "../Inputs/check.h"

struct list {
  long key;
  struct list *sameregion next;
  long more[4];
};

int main(void) {
  region r = newregion(), s = newregion();
  struct list *a = ralloc(r, struct list), *b = ralloc(s, struct list);
  *b = *a;
  a->next = a;
  *b = *a;
}
