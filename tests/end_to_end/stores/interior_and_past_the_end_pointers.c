// Interior and one-past-the-end pointers belong to the region of their object, whatever follows it
// in memory.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static char *past[64];
static long *interior;

int main(void) deletes {
  region r = newregion(), s = newregion();
  size_t sizes[] = {1,    8,     16,    24,    100,   4096,  8184,  8185,    8191,         8192,
                    8193, 16376, 16377, 16383, 16384, 16385, 65536, 1 << 20, (1 << 20) + 1};
  size_t count = sizeof sizes / sizeof *sizes;
  for (size_t i = 0; i < count; i++) {
    char *bytes = i % 2 ? rstralloc(r, sizes[i]) : rarrayalloc(r, sizes[i], char);
    past[i] = bytes + sizes[i];
    CHECK(regionof(bytes) == r && regionof(past[i]) == r && regionof(bytes + sizes[i] / 2) == r);
    rstralloc(s, sizes[i]);
  }
  CHECK_COUNT(r, count);
  CHECK_COUNT(s, 0);
  DELETE_REFUSED(r);
  interior = &rarrayalloc(r, 1000, node)[999].value;
  CHECK_COUNT(r, count + 1);
  memset(past, 0, sizeof past);
  CHECK_COUNT(r, 1);
  DELETE_REFUSED(r);
  *interior = 1;
  interior = 0;
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
