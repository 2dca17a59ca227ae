// strtok_r stores a pointer in its caller's variable; nothing counted it, and the string's region
// could be deleted.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

static char *state;

int main(void) deletes {
  region r = newregion();
  strtok_r(rstrdup(r, "a b"), " ", &state);
  DELETE_REFUSED(r);
  CHECK(!strcmp(strtok_r(0, " ", &state), "b"));
}
