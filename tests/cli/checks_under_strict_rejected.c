// -facre-strict: a check that is left for run time is an error, with the fact that is missing; one
// that is proved is not. Copies of a store that miss the same are one error.  With -flto the link
// decides.
// RUN: not %acre-cc -O2 -facre-strict -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %acre-cc -O2 -g -facre-strict -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: %acre-cc -O2 -facre-strict -DCOMPLETE -c %s -o %t.o 2>&1 | count 0
// RUN: %acre-cc -O2 -flto -facre-strict -DCOMPLETE=1 -DOPEN -c %s -o %t.o 2>&1 | count 0
// RUN: %acre-cc -O2 -flto -facre-strict %t.o -o %t 2>&1 | count 0
// RUN: %acre-cc -O2 -flto -facre-strict -DOTHER -c %s -o %t.o 2>&1 | count 0
// RUN: not %acre-cc -O2 -flto -facre-strict %t.o -o %t 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: {{.*}}checks_under_strict_rejected.c:{{[0-9]+}}:{{[0-9]+}}: {{.*}}check of
// LINK-SAME: {{^ }}sameregion store kept: {{.*}} [-facre-strict]
// RUN: %acre-cc -O0 -facre-strict -c %s -o %t.o 2>&1 | count 0
#include <acre/acre.h>
#include <stdlib.h>

struct node { struct node *sameregion next; };
#ifdef COMPLETE
static
#endif
// CHECK: checks_under_strict_rejected.c:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}check of sameregion
// CHECK-SAME: {{^ }}store kept: {{.+}}; {{.+}} [-facre-strict]
void link_to(struct node *a, struct node *b) { a->next = b; }

// NAMED: checks_under_strict_rejected.c:[[#@LINE-2]]:{{[0-9]+}}: error: {{.*}}check of sameregion
// NAMED-SAME: {{^ }}store kept: 'b', a parameter of 'link_to', may be in another region than the
// NAMED-SAME: {{^ }}region of 'a'; make 'link_to' static{{.*}}

#ifndef COMPLETE
// CHECK: checks_under_strict_rejected.c:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}check of sameregion
// CHECK-SAME: {{^ }}store kept: {{.*}} [-facre-strict]
void copy(struct node *to, const struct node *from) { *to = *from; }
#endif

// CHECK: checks_under_strict_rejected.c:{{.*}} error: {{.*}}check of sameregion store kept: the
// CHECK-SAME: {{^ }}result of 'other' (line {{[0-9]+}}) may be in another region than the region
// CHECK-SAME: {{^ }}that the result of 'newregion' (line {{.*}}) names; define 'other'
// CHECK-SAME: {{^ }}{{.*}} [-facre-strict]

#ifdef OPEN
void proved(struct node *a) { link_to(a, a->next); }
#endif

struct node *other(void);
int main(void) {
  region r = newregion();
  struct node *n = ralloc(r, struct node);
  link_to(n, n);
#ifndef COMPLETE
  link_to(n, atoi("1") ? n : NULL);
  link_to(n, other());
#endif
  return n->next != n;
}

#ifdef OTHER
struct node *other(void) { return ralloc(newregion(), struct node); }
#endif
