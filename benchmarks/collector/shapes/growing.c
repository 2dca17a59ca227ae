/* SPDX-License-Identifier: MIT */
/* growing.c - buffers that grow with realloc from 300 bytes to 8 KB, as those that lines are read
 * into; two hundred at a time.
 */
#include "shape.h"

enum { BUFFERS = 200, LEAST = 300, MOST = 8192 };

typedef struct buffer {
  unsigned char *bytes;
  size_t size, room;
} buffer;

static void append(buffer *b, unsigned char c, size_t count) {
  if (b->size + count > b->room) {
    while (b->size + count > b->room)
      b->room = b->room ? b->room * 3 / 2 : LEAST;
    b->bytes = realloc(b->bytes, b->room);
    if (!b->bytes)
      abort();
  }
  memset(b->bytes + b->size, c, count);
  b->size += count;
}

int main(int argc, char **argv) {
  size_t rounds = number_of(argc, argv, 2, 4000000), sum = 0;
  static buffer buffers[BUFFERS];
  uint64_t random = 1;
  for (size_t i = 0; i < rounds; i++) {
    buffer *b = &buffers[next_random(&random) % BUFFERS];
    if (b->size >= MOST) {
      sum += b->bytes[b->size / 2];
      free(b->bytes);
      *b = (buffer){0};
    }
    append(b, (unsigned char)i, size_between(&random, 10, 250));
  }
  return report(sum);
}
