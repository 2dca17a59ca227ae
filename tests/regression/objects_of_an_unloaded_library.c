// A closed library's descriptors were unmapped, and a walk of its objects crashed.
// RUN: %acre-cc -O2 -g -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %each_level -o %t %s -- -g
// RUN: %t.O0 %t.so 2>&1 | FileCheck %s
// RUN: %t.O2 %t.so 2>&1 | FileCheck %s
// CHECK: field 'previous' of struct of_library allocated at {{.*}}library.c:13
#include "../end_to_end/Inputs/check.h"
#ifdef LIBRARY
#line 9 "library.c"
struct of_library {
  node *previous;
};
void *library_make(region r, node *previous) {
  struct of_library *made = ralloc(r, struct of_library);
  made->previous = previous;
  return made;
}
#else
#include <dlfcn.h>
#include <sys/mman.h>

/* What comes to lie where the library was is unreadable. */
static void close_library(void *library) {
  CHECK(dlclose(library) == 0);
  for (int i = 0; i < 64; i++)
    mmap(NULL, 16 << 10, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv) deletes {
  if (argc < 2)
    return 0;
  region r = newregion(), other = newregion();
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library);
  void *(*make)(region, node *) = (void *(*)(region, node *))dlsym(library, "library_make");
  CHECK(make);
  make(other, new_node(r));
  close_library(library);
  CHECK(acre_verify());
  DELETE_REFUSED(r);
  acre_region_report(r, 2, 10);
  DELETE_ACCEPTED(other);
  DELETE_ACCEPTED(r);
}
#endif
