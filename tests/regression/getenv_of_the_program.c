// The runtime asked a program's own getenv for its settings: what a shell's variables answer is not
// for it, and ended the program.
// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: %acre-cc -O2 %s -o %t && %t && env ACRE_DELETE=refuse %t
// RUN: env ACRE_DELETE=42 %S/../end_to_end/bad_input/Inputs/status.sh %t | %whole %s
#include <acre/acre.h>

// CHECK: acre: fatal: ACRE_DELETE is '42'; it may be abort, refuse, defer, sever or trap
// CHECK-NEXT: exit status 134

static int has_begun;

char *getenv(const char *name) {
  return has_begun && name[0] == 'X' ? (char *)"42" : (char *)"other";
}

int main(void) {
  has_begun = 1;
  region r = newregion();
  return getenv("X")[0] == '4' && deleteregion(r) ? 0 : 1;
}
