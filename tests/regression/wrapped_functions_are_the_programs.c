// A linker's --wrap, by which programs test themselves, was for the runtime's own calls too: they
// asked the program's stand-ins, or the program could not be linked.
// RUN: %acre-cc -O1 %s -o %t -Wl,--wrap=read,--wrap=open,--wrap,mmap,--wrap=syscall
// RUN: %t
// RUN: %acre-cc -O1 %s -o %t -facre-malloc=collected \
// RUN:   -Wl,--wrap=read,--wrap=open,--wrap,mmap,--wrap=syscall
// RUN: %t
#include <acre/acre.h>
#include <stdlib.h>
#include <unistd.h>

static int calls;

ssize_t __wrap_read(int file, void *to, size_t size) {
  (void)file, (void)to, (void)size;
  calls++;
  return -1;
}

/* The other functions have no stand-in. */
int main(void) {
  char **many = calloc(1000, sizeof *many), text[8];
  region r = newregion();
  for (int i = 0; many && i < 100000; i++)
    many[i % 1000] = malloc(1000);
  if (!deleteregion(r) || calls != 0)
    return 1;
  return read(0, text, sizeof text) == -1 && calls == 1 ? 0 : 1;
}
