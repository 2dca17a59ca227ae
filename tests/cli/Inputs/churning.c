/* SPDX-License-Identifier: MIT */
/* Allocates 40 MB, of which little is in use at a time. */
#include <stdlib.h>

static void *volatile kept[1000];

int main(void) {
  for (int i = 0; i < 400000; i++)
    kept[i % 1000] = malloc(100);
  return 0;
}
