// A program whose frames knew each region when it was deleted kept all of them: the deletes after
// which deferred regions are looked at again were as many as there were of these, and each delete
// added one.
// RUN: %acre-cc -O0 -facre-frames=conservative %s -o %t && %t
#include "../end_to_end/Inputs/check.h"

static size_t most;

static void request(void) {
  region r = newregion();
  node *volatile known = ralloc(r, node);
  CHECK(deleteregion(r));
  CHECK(known);
  acre_stats stats;
  acre_get_stats(&stats);
  most = stats.regions_live > most ? stats.regions_live : most;
}

int main(void) {
  for (int i = 0; i < 1000; i++)
    request();
  CHECK(most < 48);
  return 0;
}
