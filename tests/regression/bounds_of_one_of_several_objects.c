// A bound was computed between two choices of a block, which made Clang crash; of a local that is
// only read, and a copy of a constant, the optimizer looked at the constant and compared its
// address with the bounds of the local; and null was an object of no bytes to getcwd.
// RUN: %each_level -o %t %s -- -facre-bounds
// RUN: %each_level -o %t %s -- -facre-safe
#include "../end_to_end/Inputs/check.h"
#include <stdlib.h>
#include <unistd.h>

NOINLINE static int choose(int which, unsigned i) {
  const char *text;
  int more;
  if (which) {
    text = "//";
    more = 1;
  } else {
    text = "/*";
    more = 2;
  }
  return text[i] + more;
}

static unsigned long hash;
static void add(const char *text) {
  while (*text)
    hash = hash * 33 + (unsigned char)*text++;
}

NOINLINE static unsigned long of_copy(const char *first) {
  char copy[] = "0123456789012345678901234567890";
  hash = 0;
  add(first);
  add(copy);
  return hash;
}

static char *directory(char *to) { return getcwd(to, 4096); }

union text {
  char small[4];
  long number;
  char large[32];
};

NOINLINE static unsigned long of_unions(void) {
  union text *made = malloc(sizeof *made), own;
  strcpy(made->large, "0123456789012345678901234567890");
  sprintf(made->large, "%030d", 4);
  hash = 0;
  add(made->small);
  free(made);
  strcpy(own.large, "0123456789012345678901234567890");
  add(own.large);
  sprintf(own.small, "%d", 123);
  add(own.small);
  return hash;
}

int main(void) {
  CHECK(choose(1, 0) == '/' + 1 && choose(0, 1) == '*' + 2);
  CHECK(of_copy("") != of_copy("a"));
  CHECK(of_unions() != 0);
  char *made = directory(NULL);
  CHECK(made && *made == '/');
  free(made);
}
