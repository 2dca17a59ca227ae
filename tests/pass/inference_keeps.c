// RUN: %acre-cc -O1 -g -c %s -o %t.o -Rpass=acre -Rpass-missed=acre 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not=removed
// What is not certain stays checked, and the remark says what is missing.
#include <acre/acre.h>

#define NOINLINE __attribute__((noinline))
typedef struct list {
  struct list *sameregion next;
  struct list *plain;
} list;
list *objects[100];
list *unknown(region r);
void consume(list *l);

void from_array(region r) {
  list *x = ralloc(r, list);
  // CHECK: [[#@LINE+2]]:11: remark: check of sameregion store kept: {{.*}} comes from global
  // CHECK-SAME: {{^ }}'objects'
  x->next = objects[23];
}

void from_plain_slot(region r, list *y) {
  list *x = ralloc(regionof(y), list);
  // CHECK: [[#@LINE+2]]:11: remark: check of sameregion store kept: {{.*}} is read from a slot
  // CHECK-SAME: {{^ }}without annotation
  x->next = y->plain;
}

list *constructor(region r, list *next) {
  list *l = ralloc(r, list);
  // CHECK: [[#@LINE+3]]:11: remark: check of sameregion store kept: 'next', a parameter of
  // CHECK-SAME: {{^ }}'constructor', may be in another region than region 'r'; make 'constructor'
  // CHECK-SAME: {{^ }}static
  l->next = next;
  return l;
}

void from_call(region r) {
  list *l = ralloc(r, list);
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept: the result of 'unknown'
  l->next = unknown(r);
}

void other_region(region r, region s) {
  list *l = ralloc(r, list), *m = ralloc(s, list);
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  l->next = m;
}

// Neither check proves the other: the first is made before anything is known, the second is about
// another pair.
void circle(list *x, list *y, list *z) {
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = y;
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  y->next = z;
}

// A later check says nothing of an earlier one.
void later(list *x, list *y, list *stop) {
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = y;
  consume(stop);
}

// An equality says something only where it holds.
void other_branch(list *x, list *y) {
  if (regionof(x) == regionof(y))
    consume(x);
  else
    // CHECK: [[#@LINE+1]]:13: remark: check of sameregion store kept
    x->next = y;
}

// The region changes in the loop.
void changing(region *rs, int n) {
  list *last = 0;
  for (int i = 0; i < n; i++) {
    list *l = ralloc(rs[i], list);
    // CHECK: [[#@LINE+1]]:13: remark: check of sameregion store kept
    l->next = last;
    last = l;
  }
  consume(last);
}

// The result is in p's region only if p is not null.
static NOINLINE list *either(list *p, list *q) { return p ? p : q; }
void null_argument(list *x, list *y) {
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = either(x->next, y);
}

// One caller of several.
static NOINLINE void append(list *x, list *y) {
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = y;
}
void callers(region r, region s) {
  append(ralloc(r, list), 0);
  append(ralloc(r, list), ralloc(s, list));
}
