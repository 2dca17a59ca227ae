// strtok went on in a string whose region had been deleted.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: strtok: the string that it was given last was in a region that has been
// ABORT-SAME: deleted
#include "../Inputs/check.h"

NOINLINE static void request(void) deletes {
  region r = newregion();
  CHECK(!strcmp(strtok(rstrdup(r, "alpha beta gamma"), " "), "alpha"));
  DELETE_ACCEPTED(r);
}

int main(void) deletes {
  request();
  puts(strtok(NULL, " "));
}
