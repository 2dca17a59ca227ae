// Code of any model links and counts.
// RUN: %acre-cc -O2 -mcmodel=medium %s -o %t && %t
// RUN: %acre-cc -O2 -mcmodel=large %s -o %t && %t
// RUN: %acre-cc -O2 -mcmodel=large -no-pie -fno-pic %s -o %t && %t
#include <acre/acre.h>

struct node {
  struct node *next;
};
static struct node *kept;

static int work(void) deletes {
  region r = newregion();
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  kept = ralloc(r, struct node);
  bool is_refused = !deleteregion(r);
  kept = NULL;
  return !is_refused || !deleteregion(r);
}

int main(void) deletes { return work(); }
