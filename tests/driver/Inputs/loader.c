#include "table.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  struct entry *(*add)(region, int) = (struct entry * (*)(region, int)) dlsym(library, "table_add");
  struct entry **head = dlsym(library, "table_head");
  region r = newregion();
  add(r, 1);
  if (acre_region_count(r) != 1)
    return 2;
  if (argc == 2)
    *head = 0;
  deleteregion(r);
  return 0;
}
