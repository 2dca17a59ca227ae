/* SPDX-License-Identifier: MIT */
/* temporary.c - a buffer of 300 bytes to 8 KB for each call, freed before the call returns; nothing
 * else lives.
 */
#include "shape.h"

int main(int argc, char **argv) {
  size_t rounds = number_of(argc, argv, 2, 3000000), sum = 0;
  uint64_t random = 1;
  for (size_t i = 0; i < rounds; i++) {
    size_t size = size_between(&random, 300, 8192);
    unsigned char *buffer = make_block(size);
    sum += buffer[size - 1];
    free(buffer);
  }
  return report(sum);
}
