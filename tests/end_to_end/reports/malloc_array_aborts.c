// A pointer left in an array in a block from malloc that was made larger: the place of the store
// goes with it.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:26: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:30
// CHECK-NEXT: 1. the word at offset 32 of a block of 10008 bytes from malloc (called at
// CHECK-SAME: [[FILE]]:29 in main), stored as 'table[].first' at [[FILE]]:28 in main, points to
// CHECK-SAME: struct entry allocated at [[FILE]]:28
// CHECK-NEXT: hint: clear or free the memory that still points in
#include <stdlib.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct bucket {
  struct entry *first;
  long length;
};
static struct bucket *table;

int main(void) {
  region r = newregion();
  table = calloc(4, sizeof *table);
  table[2].first = ralloc(r, struct entry);
  table = realloc(table, 500 * sizeof *table);
  deleteregion(r);
  free(table);
  return 0;
}
// QEMU does not say in its list of mappings which one is the heap.
// UNSUPPORTED: foreign
