// With a quarantine, what small objects had used was counted off in proportion to large ones too:
// after some hundred collections a trace said that 2^64 bytes were in use.
// RUN: %acre-cc -O1 -facre-malloc=quarantine %s -o %t && env ACRE_TRACE=%t.trace %t
// RUN: grep -q '"useful":' %t.trace && not grep -qE '"useful":[0-9]{12}' %t.trace
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *kept[64] = {0};
  for (int i = 0; i < 200000; i++) {
    char *volatile buffer = malloc(8192);
    if (!buffer)
      return 1;
    buffer[0] = 1;
    free(kept[i % 64]);
    kept[i % 64] = strdup("a text");
    free(buffer);
  }
}
