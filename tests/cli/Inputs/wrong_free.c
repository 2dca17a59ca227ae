/* SPDX-License-Identifier: MIT */
/* Frees a local variable. */
#include <stdlib.h>

int main(void) {
  char *volatile local;
  char bytes[100];
  free((void *)(local = bytes + 16));
  return 0;
}
