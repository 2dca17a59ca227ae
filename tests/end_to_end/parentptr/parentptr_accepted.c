// A parentptr slot takes null, its own region and every ancestor, and never counts.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct item {
  struct item *parentptr up;
};

int main(void) deletes {
  region chain[20];
  struct item *items[20];
  for (int i = 0; i < 20; i++) {
    chain[i] = i ? newsubregion(chain[i - 1]) : newregion();
    items[i] = ralloc(chain[i], struct item);
    for (int j = 0; j <= i; j++)
      items[i]->up = items[j];
  }
  items[19]->up = 0;
  for (int i = 0; i < 20; i++)
    CHECK_COUNT(chain[i], 0);
  for (int i = 19; i >= 0; i--)
    DELETE_ACCEPTED(chain[i]);
  CHECK(acre_verify());
}
