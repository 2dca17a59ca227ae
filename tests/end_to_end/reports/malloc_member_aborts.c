// A pointer left in a block from malloc: its size, the offset in it and the member that was stored.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:26: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:29
// CHECK-NEXT: 1. the word at offset 8 of a block of 24 bytes from malloc (called at [[FILE]]:27 in
// CHECK-SAME: main), stored as 'c->inner.held' at [[FILE]]:28 in main, points to
// CHECK-SAME: struct entry allocated at [[FILE]]:28
// CHECK-NEXT: hint: clear or free the memory that still points in
#include <stdlib.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct client {
  long number;
  struct {
    struct entry *held;
  } inner;
};

int main(void) {
  region r = newregion();
  struct client *c = calloc(1, sizeof *c);
  c->inner.held = ralloc(r, struct entry);
  deleteregion(r);
  free(c);
  return 0;
}
// QEMU does not say in its list of mappings which one is the heap.
// UNSUPPORTED: foreign
