// Where the optimizer makes one call of two that end the variables of inlined functions, which
// variables they are is chosen there: with -facre-locals Clang crashed.
// RUN: %each_level -o %t %s -- -facre-locals
#include "../end_to_end/Inputs/check.h"
#include <stdlib.h>

struct writer {
  FILE *out;
  int total;
};

NOINLINE static void bad(int code) { exit(code); }
static int write_long(struct writer *w, unsigned value);
static int write_short(struct writer *w, unsigned short value);

NOINLINE static int write_header(struct writer *w, const unsigned *header) {
  int bytes = 0;
  if (write_long(w, header[0]) < 0 || write_long(w, header[1]) < 0)
    bad(150);
  bytes += 8;
  if (write_long(w, header[2]) < 0 || write_short(w, (unsigned short)header[3]) < 0)
    bad(158);
  return bytes + 6;
}

static int write_long(struct writer *w, unsigned value) {
  unsigned turned = __builtin_bswap32(value);
  int bytes = sizeof turned, written = (int)fwrite(&turned, bytes, 1, w->out);
  if (written != 1)
    return -1;
  w->total += bytes;
  return bytes;
}

static int write_short(struct writer *w, unsigned short value) {
  unsigned short turned = __builtin_bswap16(value);
  int bytes = sizeof turned, written = (int)fwrite(&turned, bytes, 1, w->out);
  if (written != 1)
    return -1;
  w->total += bytes;
  return bytes;
}

int main(void) {
  struct writer w = {tmpfile(), 0};
  const unsigned header[] = {1, 2, 3, 4};
  CHECK(w.out && write_header(&w, header) == 14 && w.total == 14);
  fclose(w.out);
}
