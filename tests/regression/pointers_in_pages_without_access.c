// A slot in a page that is without access while its region is deleted was taken to be gone.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <sys/mman.h>

enum { PAGE = 4096 };
struct user {
  int n;
};

int main(void) {
  struct user **store =
      mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  region r = newregion();
  store[5] = ralloc(r, struct user);
  CHECK(mprotect(store, PAGE, PROT_NONE) == 0);
  DELETE_REFUSED(r);
  CHECK(mprotect(store, PAGE, PROT_READ | PROT_WRITE) == 0);
  store[5] = NULL;
  CHECK(mprotect(store, PAGE, PROT_NONE) == 0);
  DELETE_ACCEPTED(r);
}
