// Subregions to any depth: ancestors, deletion from the leaves, stores across the tree.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

enum { DEPTH = 3000 };
static region chain[DEPTH];

static NOINLINE void delete_tree(region r, int depth) deletes {
  region children[3];
  for (int i = 0; i < 3; i++)
    children[i] = newsubregion(r);
  for (int i = 0; i < 3; i++) {
    CHECK(acre_region_parent(children[i]) == r && acre_region_is_ancestor(r, children[i]));
    CHECK(!acre_region_is_ancestor(children[i], r) &&
          !acre_region_is_ancestor(children[i], children[(i + 1) % 3]));
  }
  for (int i = 0; i < 3; i++) {
    if (depth)
      delete_tree(children[i], depth - 1);
    else
      CHECK(deleteregion(children[i]));
  }
  CHECK(deleteregion(r));
}

int main(void) deletes {
  for (int i = 0; i < DEPTH; i++)
    chain[i] = i ? newsubregion(chain[i - 1]) : newregion();
  CHECK(!acre_region_parent(chain[0]));
  for (int i = 0; i < DEPTH; i += 97)
    for (int j = 0; j < DEPTH; j += 101)
      CHECK(acre_region_is_ancestor(chain[i], chain[j]) == (i <= j));
  DELETE_REFUSED(chain[0]);
  for (int i = DEPTH - 1; i >= 0; i--)
    CHECK(deleteregion(chain[i]));
  delete_tree(newregion(), 5);
  CHECK(acre_verify());
}
