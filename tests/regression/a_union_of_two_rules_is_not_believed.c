// What the plain member of a union had stored was believed when it was read by the annotated one:
// the check of the store that followed was removed, and a deleted region could be reached.
// RUN: %acre-cc -O0 %s -o %t && not --crash %t 2>&1 | %whole %s
// RUN: %acre-cc -O2 %s -o %t && not --crash %t 2>&1 | %whole %s
// CHECK: acre: fatal: [[FILE]]:{{[0-9]+}}: in move: sameregion pointer may not point into the
// CHECK-SAME: region created at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: value {{0x[0-9a-f]+}}: struct node allocated at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of struct node allocated at [[FILE]]:{{[0-9]+}} in
// CHECK-SAME: the region created at [[FILE]]:{{[0-9]+}}
// CHECK-NEXT: held by the region created at [[FILE]]:{{[0-9]+}}
#include <acre/acre.h>

struct node {
  union {
    struct node *sameregion own;
    struct node *any;
  } link;
  struct node *sameregion next;
};
__attribute__((noinline)) static void put(struct node *n, struct node *any) { n->link.any = any; }
__attribute__((noinline)) static void move(struct node *n) { n->next = n->link.own; }

int main(void) {
  region one = newregion(), other = newregion();
  struct node *n = ralloc(one, struct node);
  put(n, ralloc(other, struct node));
  move(n);
  n->link.any = NULL;
  deleteregion(other);
  return n->next != NULL;
}
