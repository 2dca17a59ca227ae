// A pointer left in memory from mmap.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:24: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:28
// CHECK-NEXT: 1. memory from malloc or mmap at {{0x[0-9a-f]+}}, stored as 's->root' at [[FILE]]:27
// CHECK-SAME: in main, points to struct entry allocated at [[FILE]]:27
// CHECK-NEXT: hint: clear or free the memory that still points in
#define _GNU_SOURCE
#include <sys/mman.h>
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct shared {
  long version;
  struct entry *root;
};

int main(void) {
  region r = newregion();
  struct shared *s =
      mmap(0, sizeof *s, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  s->root = ralloc(r, struct entry);
  deleteregion(r);
  return 0;
}
