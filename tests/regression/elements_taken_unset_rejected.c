// Where paths met in a loop, an array whose elements are only taken seemed to have been set.
// RUN: %frontend -fsyntax-only -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

void never_set(void) {
  char *unique names[4];
  for (int i = 0; i < 4; i++)
    free(acre_take(&names[i])); // expected-error {{'names[...]' is used before it is surely set}}
}
void set_first(void) {
  char *unique names[4] = {0};
  names[0] = strdup("first");
  for (int i = 0; i < 4; i++)
    free(acre_take(&names[i]));
}
