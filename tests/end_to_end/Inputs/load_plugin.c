/* Loads a plugin that keeps a region pointer in its globals, and unloads it: the reference goes
 * with the memory. */
#include "check.h"
#include <dlfcn.h>

int main(int argc, char **argv) deletes {
  CHECK(argc == 2);
  region r = newregion();
  for (int round = 0; round < 20; round++) {
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library)
      fprintf(stderr, "%s\n", dlerror());
    CHECK(library);
    void (*keep)(void *) = (void (*)(void *))dlsym(library, "plugin_keep");
    CHECK(keep);
    keep(new_node(r));
    CHECK_COUNT(r, 2);
    DELETE_REFUSED(r);
    CHECK(dlclose(library) == 0);
  }
  CHECK(acre_verify());
  DELETE_ACCEPTED(r);
}
