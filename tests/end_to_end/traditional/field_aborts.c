// RUN: %each_level --expect-abort "traditional" -o %t %s
// A traditional slot rejects a pointer into a region.
#include "../Inputs/check.h"

struct item {
  char *traditional text;
};

int main(void) {
  region r = newregion();
  struct item *a = ralloc(r, struct item);
  a->text = "constant";
  a->text = rstrdup(r, "copied");
}
