// A pointer read from a private copy of a record was taken for one outside all regions when
// something was stored through it: a check went that fails.
// RUN: for level in -O0 -O1 -O2 -O3; do %acre-cc $level %s -o %t && not --crash %t 2>&1 | %whole \
// RUN:   %s || exit 1; done
// CHECK: acre: fatal: [[FILE]]:[[@LINE+17]]: in store: sameregion pointer may not point into the
// CHECK-SAME: traditional region
// CHECK-NEXT: value {{0x[0-9a-f]+}}: no object of a region
// CHECK-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct list allocated at [[FILE]]:[[@LINE+20]]
// CHECK-SAME: in the region created at [[FILE]]:[[@LINE+17]]
// CHECK-NEXT: held by the region created at [[FILE]]:[[@LINE+16]]
#include <acre/acre.h>
struct list {
  struct list *sameregion next;
  long pad[20];
};
static struct list outside;
static void *(*volatile opaque)(void *);
static void *identity(void *p) { return p; }
__attribute__((noinline)) static void store(struct list *x, long i) {
  struct list copy = *x;
  copy.pad[i] = 1; /* keeps the copy in memory */
  copy.next->next = &outside;
}
int main(void) {
  opaque = identity;
  region r = newregion();
  struct list *x = ralloc(r, struct list);
  x->next = ralloc(r, struct list);
  store(opaque(x), (long)opaque((void *)3));
}
