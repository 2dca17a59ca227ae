// mlockall filled the address space that the runtime keeps for later: 11 GB for 100 bytes of heap.
// RUN: %acre-cc -O2 %s -o %t && %t
// RUN: %acre-cc -O2 -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t && %t
#include <acre/acre.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct node {
  struct node *sameregion next;
};

int main(void) {
  struct rusage used;
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) // without the right to
    return 0;
  region r = newregion();
  char *memory = malloc(100);
  memset(memory, 1, 100);
  ralloc(r, struct node);
  deleteregion(r);
  free(memory);
  if (getrusage(RUSAGE_SELF, &used) != 0 || used.ru_maxrss > 64 * 1024)
    return printf("%ld KB are locked\n", used.ru_maxrss), 1;
}
