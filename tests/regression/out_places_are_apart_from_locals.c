// What a call sets in a local structure was thought to be set where an out parameter leads too, so
// that this was reported as an owner that is overwritten.
// RUN: %acre-cc -fsyntax-only -DRIGHT %s 2>&1 | count 0
// RUN: %acre-cc -fsyntax-only %s 2>&1 | FileCheck %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique left, *unique right;
};
int open_pair(const char *name, struct pair *acre_out pair);
int name_of(const char *name, char *unique *acre_out out);

int first_name(const char *name, char *unique *acre_out out) {
  struct pair opened;
  *out = NULL;
  if (open_pair(name, &opened) != 0)
    return -1;
  *out = acre_take(&opened.left);
  free(acre_take(&opened.right));
  return 0;
}

#ifndef RIGHT
int two_names(const char *name, char *unique *acre_out out) {
  *out = NULL;
  if (name_of(name, out) != 0)
    return -1;
  // CHECK: :[[#@LINE+1]]:8: warning: {{.*}}[-Wacre-leak]
  *out = NULL;
  return 0;
}
// CHECK: 1 warning generated
#endif
