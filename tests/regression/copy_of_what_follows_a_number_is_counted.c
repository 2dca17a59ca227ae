// A copy of the rest of a struct, from a member that is a number on, was taken for one of numbers.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <stddef.h>

struct task {
  node *kept;
  int start_of_copy;
  int sizes[3];
  node *first, *second;
};

NOINLINE static void copy_from_member(struct task *to, const struct task *from) {
  memcpy(&to->start_of_copy, &from->start_of_copy,
         sizeof *to - offsetof(struct task, start_of_copy));
}
NOINLINE static void copy_from_array(struct task *to, const struct task *from) {
  memmove(to->sizes, from->sizes, sizeof *to - offsetof(struct task, sizes));
}
/* These are numbers only. */
NOINLINE static void copy_numbers(struct task *to, const struct task *from) {
  memcpy(&to->start_of_copy, &from->start_of_copy, sizeof to->start_of_copy);
  memcpy(to->sizes, from->sizes, sizeof to->sizes);
}

static struct task to;

int main(void) {
  region r = newregion();
  node *n = new_node(r);
  struct task from = {NULL, 1, {1, 2, 3}, n, n};
  copy_from_member(opaque(&to), opaque(&from));
  CHECK_COUNT(r, 2);
  memset(&to, 0, sizeof to);
  copy_from_array(opaque(&to), opaque(&from));
  CHECK_COUNT(r, 2);
  copy_numbers(opaque(&to), opaque(&from));
  CHECK_COUNT(r, 2);
}
