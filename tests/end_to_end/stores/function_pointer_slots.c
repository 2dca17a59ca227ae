// Tables of function pointers, constants and strings among region pointers never count.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

typedef int operation(int);
static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
struct command {
  const char *name;
  operation *run;
  node *argument;
};
static operation *table[4] = {twice, negate};
static const struct command commands[] = {{"twice", twice, 0}, {"negate", negate, 0}};

int main(void) deletes {
  region r = newregion(), s = newregion();
  struct command *c = rarraycopy(s, commands, 2, struct command);
  table[2] = c[1].run;
  table[3] = table[2];
  c[0].argument = new_node(r);
  c[1] = c[0];
  CHECK(c[1].run(4) == 8 && table[3](3) == -3);
  CHECK_COUNT(r, 2);
  CHECK_COUNT(s, 0);
  CHECK(acre_verify());
  DELETE_ACCEPTED(s);
  DELETE_ACCEPTED(r);
}
