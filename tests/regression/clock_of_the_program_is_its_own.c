// The collected heap asked a program's own clock_gettime for the time, a name that C leaves to the
// program.
// RUN: %acre-cc -fno-builtin -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -fno-builtin -facre-malloc=quarantine %s -o %t && %t
#include <stdlib.h>

static int calls;
int clock_gettime(int number) {
  calls++;
  return number;
}

static char *data[4];

int main(void) {
  for (int i = 0; i < 100000; i++) {
    free(data[i % 4]);
    data[i % 4] = malloc(i % 5000 + 16);
  }
  return calls;
}
