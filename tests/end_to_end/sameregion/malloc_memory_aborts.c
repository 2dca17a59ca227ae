// RUN: %each_level --expect-abort "sameregion" -o %t %s
// A sameregion slot in a region rejects a pointer to malloc memory.
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
};

int main(void) {
  struct list *a = ralloc(newregion(), struct list);
  a->next = malloc(sizeof *a);
}
