// -Og has each variable used at the end of its scope, for debuggers: deletes were refused for
// variables with no other use.
// RUN: %acre-cc -Og -g -o %t %s && %t
// RUN: %if llvm-21 %{ %each_level -o %t.level %s -- -fextend-variable-liveness -g %}
#include <acre/acre.h>

typedef struct node node;
struct node {
  node *next;
};

__attribute__((noinline)) static node *choose(region r, node *other, int which) {
  return which ? ralloc(r, node) : other;
}

static int work(int which) deletes {
  region r = newregion();
  node *first = ralloc(r, node), *chosen = choose(r, first, which), *list[2] = {first, chosen};
  first->next = list[which];
  for (node *each = chosen; each; each = each == first ? NULL : first)
    if (which)
      chosen = first;
  bool is_deleted = deleteregion(r);
  if (which)
    chosen = NULL;
  return !is_deleted;
}

int main(void) deletes { return work(0) || work(1); }
