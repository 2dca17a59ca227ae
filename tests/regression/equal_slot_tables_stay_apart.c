// Equal slot tables of two descriptors were merged across their COMDAT groups: the link failed on a
// discarded section.
// RUN: %acre-cc -O2 -c -DOTHER %s -o %t.other.o
// RUN: %acre-cc -O2 %t.other.o %s -o %t && %t
#include <acre/acre.h>
struct first {
  struct first *sameregion next;
};
struct second {
  struct second *sameregion next;
};
void *other(region r);
#ifdef OTHER
void *other(region r) { return ralloc(r, struct first); }
#else
int main(void) deletes {
  region r = newregion();
  int is_bad = !ralloc(r, struct first) || !ralloc(r, struct second) || !other(r);
  return is_bad || !deleteregion(r);
}
#endif
