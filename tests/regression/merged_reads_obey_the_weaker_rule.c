// The optimizer makes one read of a parentptr slot and a sameregion slot: what it reads need not be
// in the holder's region.
// RUN: %each_level -o %t %s
#include <acre/acre.h>

#include <signal.h>
#include <unistd.h>

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

/* The check of the store may not be taken for proved: it is wrong where the second arm is read. */
__attribute__((noinline)) static struct seed *sameregion *collect(struct comparison *comparison,
                                                                  struct seed *seed) {
  struct seed *sameregion *found = rarrayalloc(regionof(comparison), 1, struct seed *sameregion);
  found[0] = read_either(comparison, seed);
  return found;
}

static void end_well(int number) {
  (void)number;
  _exit(0);
}

int main(void) {
  region up = newregion(), down = newsubregion(up);
  struct seed *seed = ralloc(up, struct seed);
  struct comparison *comparison = ralloc(down, struct comparison);
  comparison->seeds = seed;
  struct seed *below = ralloc(down, struct seed);
  below->next = below;
  comparison->is_linked = 1;
  if (collect(comparison, below)[0] != below)
    return 1;
  comparison->is_linked = 0;
  signal(SIGABRT, end_well);
  collect(comparison, below);
  return 1;
}
