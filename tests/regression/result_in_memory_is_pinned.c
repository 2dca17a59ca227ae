// A result in memory was released after the call and then no longer seen as a private object, so it
// was not pinned.
// RUN: %each_level -o %t %s
#include <acre/region.h>

struct cursor {
  long *at;
  long index;
  long *stack[4];
};

__attribute__((noinline)) static struct cursor start(long *p) {
  return (struct cursor){p, 0, {0, p}};
}

int main(void) {
  region r = newregion();
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  struct cursor c = start(ralloc(r, long));
  if (deleteregion(r))
    return 1;
  *c.stack[1] = 7;
  return *c.at != 7;
}
