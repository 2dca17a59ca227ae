// RUN: %each_level -o %t %s
// The optimizer found the size of memory from alloca, and put it among the other locals: nothing in
// it was pinned.
#include "../end_to_end/Inputs/check.h"

static NOINLINE void on_one_way(region r, int length) deletes {
  node **all = NULL;
  if (length) {
    all = __builtin_alloca(sizeof(node *) * (size_t)length);
    all[0] = new_node(r);
  }
  DELETE_REFUSED(r);
  CHECK(!all || all[0]->value == 42);
}
static NOINLINE void in_a_loop(region r, int length) deletes {
  node **all[4];
  for (int i = 0; i < length; i++) {
    all[i] = __builtin_alloca(sizeof(node *));
    *all[i] = i ? NULL : new_node(r);
  }
  DELETE_REFUSED(r);
  CHECK((*all[0])->value == 42);
}
static NOINLINE void not_read_any_more(region r, int length) deletes {
  node **all[4];
  for (int i = 0; i < length; i++) {
    all[i] = __builtin_alloca(sizeof(node *));
    *all[i] = new_node(r);
  }
  CHECK((*all[0])->value == 42);
  DELETE_ACCEPTED(r);
}

int main(void) deletes {
  region r = newregion();
  on_one_way(r, 2);
  in_a_loop(r, 3);
  not_read_any_more(r, 3);
}
