#include "table.h"

/* With an argument the global still refers to the region when it is deleted. */
int main(int argc, char **argv) {
  region r = newregion();
  table_add(r, 1);
  int count = (int)acre_region_count(r);
  if (!argv[1])
    table_head = 0;
  deleteregion(r);
  return count == 1 ? 0 : 2 + argc;
}
