// With AddressSanitizer, zeroing memory of variable length was reported, and what longjmp leaves
// was taken to be alive. Lowering at the link crashed.
// REQUIRES: sanitizers
// RUN: %each_level -o %t %s -- -fsanitize=address
// RUN: %each_level -o %t.locals %s -- -fsanitize=address -facre-locals
#include <acre/acre.h>
#include <setjmp.h>

typedef struct node node;
struct node {
  node *next;
};

static jmp_buf out;

__attribute__((noinline)) static void fill(node **slots, int count, node *n) {
  for (int i = 0; i < count; i++)
    slots[i] = n;
}

__attribute__((noinline)) static void leave(region r, int count) deletes {
  node *slots[count], *exposed;
  fill(slots, count, ralloc(r, node));
  fill(&exposed, 1, slots[count - 1]);
  region other = newregion();
  deleteregion(other);
  if (exposed == slots[0])
    longjmp(out, 1);
}

int main(void) deletes {
  region r = newregion();
  if (setjmp(out) == 0)
    leave(r, 9);
  return !deleteregion(r);
}
