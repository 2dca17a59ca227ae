// The verifier took it for a difference that there was no memory for its table at exit: a program
// without regions may have used its last mapping.
// RUN: %acre-cc -O2 %s -o %t && env ACRE_VERIFY=1 %t
#include <stdlib.h>
#include <sys/resource.h>

static void *volatile got;

int main(void) {
  struct rlimit none = {1 << 20, 1 << 20};
  if (setrlimit(RLIMIT_AS, &none) != 0)
    return 1;
  got = malloc((size_t)1 << 28);
  return got ? 1 : 0;
}
// QEMU does not limit the address space of what it runs.
// UNSUPPORTED: foreign
