// The collected heap lies in the pages that regions lie in too, and so functions cleared their
// frames as in a program with regions, though there was none.
// RUN: %acre-cc %s -o %t && %t
// RUN: %acre-cc -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -facre-malloc=quarantine %s -o %t && %t
#include <acre/abi.h>
#include <acre/acre.h>

#include <stdlib.h>

int main(void) deletes {
  for (int i = 0; i < 100000; i++)
    free(malloc(100 + i % 30000));
  if (acre_rt_had_region)
    return 1;
  region r = newregion();
  int *p = ralloc(r, int);
  *p = 1;
  p = NULL;
  deleteregion(r);
  return !acre_rt_had_region;
}
