// C leaves names like open and mmap to the program: the runtime called its functions instead of the
// system's, and ended it, or went wrong.
// RUN: %each_level -o %t %s -- -fno-builtin -Wno-incompatible-library-redeclaration
// RUN: %each_level -o %t %s -- -fno-builtin -Wno-incompatible-library-redeclaration \
// RUN:   -facre-malloc=collected
// RUN: %each_level -o %t %s -- -fno-builtin -Wno-incompatible-library-redeclaration \
// RUN:   -facre-malloc=quarantine
#include <acre/acre.h>
#include <stdlib.h>

static int calls;

#define FUNCTION(name)                                                                             \
  int name(int number) {                                                                           \
    calls++;                                                                                       \
    return number;                                                                                 \
  }
FUNCTION(close)
FUNCTION(fcntl)
FUNCTION(fstat)
FUNCTION(getpid)
FUNCTION(getrlimit)
FUNCTION(ioctl)
FUNCTION(lseek)
FUNCTION(madvise)
FUNCTION(mmap)
FUNCTION(mprotect)
FUNCTION(munmap)
FUNCTION(open)
FUNCTION(personality)
FUNCTION(pipe)
FUNCTION(pread)
FUNCTION(process_vm_readv)
FUNCTION(read)
FUNCTION(sigaltstack)
FUNCTION(stat)
FUNCTION(syscall)
FUNCTION(sysconf)
FUNCTION(write)

typedef struct node {
  struct node *next;
} node;
static node *list;

int main(void) {
  region r = newregion();
  for (int i = 0; i < 10000; i++) {
    node *made = ralloc(r, node), *kept = malloc(sizeof *kept + 100);
    if (!kept)
      return 1;
    made->next = list;
    list = made;
    if (i % 2)
      free(kept);
  }
  list = NULL;
  return deleteregion(r) && calls == 0 ? 0 : 1;
}
