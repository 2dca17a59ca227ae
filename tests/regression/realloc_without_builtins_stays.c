// With -fno-builtin a program's own realloc, or a stand-in by --wrap, is to be called: a pair of
// realloc and free was left out as if they were known.
// RUN: %acre-cc -O2 -fno-builtin %s -o %t -Wl,--wrap=realloc && %t
// RUN: %acre-cc -O2 -fno-builtin-realloc %s -o %t -Wl,--wrap=realloc && %t
#include <stdlib.h>

static int calls;

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size) {
  calls++;
  return __real_realloc(p, size);
}

int main(void) {
  char *p = malloc(10);
  p = realloc(p, 1000);
  free(p);
  return calls == 1 ? 0 : 1;
}
