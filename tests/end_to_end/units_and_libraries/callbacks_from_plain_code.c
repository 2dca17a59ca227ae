// Functions called back by code that Acre did not compile count what they store; what that code
// overwrites stays safe.
// RUN: %acre-cc -fno-acre -O1 -c %S/../Inputs/plain_caller.c -o %t.plain.o
// RUN: %each_level -o %t %s %t.plain.o
#include "../Inputs/check.h"
#include "../Inputs/plain_caller.h"

static node *found;
static region in;

static void visit(void *context, void *item) {
  node **slot = context, *local = item;
  opaque(&local);
  found = item;
  *slot = item;
  CHECK_COUNT(in, 2);
}
static int compare(const void *key, const void *element) {
  node *const *n = element;
  found = *n;
  return (*(const long *)key > (*n)->value) - (*(const long *)key < (*n)->value);
}

int main(void) deletes {
  in = newregion();
  node **slot = calloc(1, sizeof *slot);
  plain_call(visit, slot, new_node(in));
  CHECK_COUNT(in, 2);
  plain_clear(slot);
  DELETE_REFUSED(in);
  found = 0;
  *slot = 0;
  CHECK_COUNT(in, 0);
  node **sorted = malloc(100 * sizeof *sorted);
  for (long i = 0; i < 100; i++) {
    sorted[i] = new_node(in);
    sorted[i]->value = i;
  }
  long key = 73;
  node **hit = bsearch(&key, sorted, 100, sizeof *sorted, compare);
  CHECK(hit && (*hit)->value == 73);
  CHECK_COUNT(in, 101);
  found = 0;
  /* Overwritten behind Acre's back: the delete finds the records stale and goes through. */
  for (long i = 0; i < 100; i++)
    plain_clear(&sorted[i]);
  CHECK(deleteregion(in));
  free(sorted);
}
