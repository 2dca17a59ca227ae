// A pointer left in a block of the collected heap.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites -facre-malloc=collected %s -o %t \
// RUN:   && not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:25: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:28
// CHECK-NEXT: 1. the word at offset 8 of a block of 16 bytes from malloc (called at [[FILE]]:26 in
// CHECK-SAME: main), stored as 'client->held' at [[FILE]]:27 in main, points to
// CHECK-SAME: struct entry allocated at [[FILE]]:27
// CHECK-NEXT: hint: clear or free the memory that still points in
#include <stdlib.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct client {
  long number;
  struct entry *held;
};
static struct client *volatile client;

int main(void) {
  region r = newregion();
  client = malloc(sizeof *client);
  client->held = ralloc(r, struct entry);
  deleteregion(r);
  return 0;
}
