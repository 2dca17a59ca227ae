// What strtol does was believed of all calls as of the first: an end pointer in a global variable
// was accepted after a null one.
// RUN: not %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

static char *kept;
static long without(char *text) { return strtol(text, NULL, 10); }
static long with(char *text) { return strtol(text, &kept, 10); }

long both(char *unique text) {
  long sum = without(text);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'text' is lent to 'with', which is not known to give it back
  sum += with(text);
  free(text);
  return sum;
}
// CHECK: 1 error generated
