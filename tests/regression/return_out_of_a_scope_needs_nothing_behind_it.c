// A return out of a scoped region was refused for a local that only the code behind the scope uses:
// all ways out share one cleanup.
// RUN: %each_level -o %t %s
#include <acre/region.h>
#include <acre/scope.h>

struct node {
  long value;
};

static volatile int choice;

__attribute__((noinline)) static long leave(int way) deletes {
  struct node *used = 0;
  for (int i = 0; i < 3; i++) {
    acre_scoped_region(first);
    used = ralloc(first, struct node);
    if (way == i)
      return used->value + 1;
    {
      acre_scoped_region(second);
      used = ralloc(second, struct node);
      if (way == i + 3)
        return 2;
      if (way == i + 6)
        goto out;
      used = 0;
    }
  }
  return used ? used->value : 4;
out:
  return 3;
}

int main(void) {
  int failures = 0;
  for (choice = 0; choice < 12; choice++)
    failures += leave(choice) != choice / 3 + 1;
  return failures;
}
