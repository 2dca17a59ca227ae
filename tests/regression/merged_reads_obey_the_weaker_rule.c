// The optimizer makes one read of a parentptr slot and a sameregion slot: what it reads need not be in the holder's region.
// RUN: %each_level -o %t %s
#include <acre/acre.h>

struct seed {
  struct seed *sameregion next;
};
struct comparison {
  struct seed *parentptr seeds;
  int is_linked;
};

/* Both arms read a pointer at offset 0. */
static struct seed *read_either(const struct comparison *comparison, const struct seed *seed) {
  if (comparison->is_linked)
    return seed->next;
  return comparison->seeds;
}

__attribute__((noinline)) static struct seed **collect(struct comparison *comparison, struct seed *seed) {
  struct seed **found = rarrayalloc(regionof(comparison), 1, struct seed *);
  found[0] = read_either(comparison, seed);
  return found;
}

int main(void) {
  region up = newregion(), down = newsubregion(up);
  struct seed *seed = ralloc(up, struct seed);
  struct comparison *comparison = ralloc(down, struct comparison);
  comparison->seeds = seed;
  struct seed *below = ralloc(down, struct seed);
  below->next = below;
  struct seed **found = collect(comparison, below);
  int status = found[0] == seed && acre_region_count(up) == 1 ? 0 : 1;
  found[0] = NULL;
  return status;
}
