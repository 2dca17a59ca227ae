// Traditional slots take null, globals, functions, constants, stack and malloc addresses.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct item {
  void *traditional any;
  char *traditional text;
};
static int global;
static void *traditional static_slot;

int main(void) deletes {
  region r = newregion();
  struct item *a = ralloc(r, struct item);
  int local = 0;
  void *memory = malloc(8);
  a->any = &global;
  a->any = &local;
  a->any = memory;
  a->any = (void *)main;
  a->any = 0;
  a->text = "constant";
  static_slot = memory;
  node *traditional pointer = memory;
  CHECK(pointer == memory);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  free(memory);
}
