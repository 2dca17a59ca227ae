// With ACRE_CHECK=cycles objects that only a cycle of references keeps alive are reported with the
// fields that lead round; weak references, and cycles that something else holds, are not.
// RUN: %each_level -o %t %s
// RUN: env ACRE_CHECK=cycles %t.O2 2>%t.reports && FileCheck -DFILE=%{s:basename} %s <%t.reports
// RUN: env ACRE_CHECK=circles not --crash %t.O2 2>&1 | %whole --check-prefix=WRONG %s
// WRONG: acre: fatal: ACRE_CHECK is 'circles'; it may be cycles
#include "../Inputs/check.h"
#include <acre/own.h>

struct child;
struct parent {
  long number;
  struct child *refcounted children[2];
};
struct holder {
  struct parent *refcounted parent;
};
struct child {
  struct parent *refcounted up;
  acre_weak *unique weak_up;
  struct holder *unique holder;
  struct child *refcounted next;
};

static bool is_checking;
static void expect(size_t objects) {
  fflush(stderr);
  CHECK(acre_check_cycles() == (is_checking ? objects : 0));
}

static struct child *refcounted child_new(struct parent *refcounted borrowed up) {
  struct child *refcounted c = rc_new(struct child);
  if (!c)
    exit(2);
  if (up)
    c->weak_up = acre_weak_new(up);
  return c;
}

static void weak_is_none(void) {
  struct parent *refcounted p = rc_new(struct parent);
  p->children[0] = child_new(p);
  p->children[1] = child_new(p);
  expect(0);
  rc_drop(p);
  expect(0);
}

// CHECK: acre: a cycle of references keeps 2 objects alive
// CHECK-DAG: struct parent allocated at {{.*}}/[[FILE]]:[[#@LINE+4]], field 'children' [1] refers to 0x
// CHECK-DAG: struct child allocated at {{.*}}/[[FILE]]:[[#@LINE-19]], field 'up' refers to 0x
// CHECK: acre: 3 counted objects are alive only through cycles
static struct child *refcounted two_types(void) {
  struct parent *refcounted p = rc_new(struct parent);
  struct child *refcounted c = child_new(NULL);
  c->up = rc_alias(p);
  c->next = child_new(NULL);
  struct child *refcounted again = rc_alias(c);
  p->children[1] = c;
  rc_drop(p);
  expect(0);
  return again;
}

// CHECK: acre: a cycle of references keeps 2 objects alive
// CHECK-DAG: field 'holder' leads to 0x
// CHECK: acre: 5 counted objects are alive only through cycles
static void through_unique(void) {
  struct parent *refcounted p = rc_new(struct parent);
  struct child *refcounted c = child_new(NULL);
  struct holder *unique h = calloc(1, sizeof *h);
  if (!h)
    exit(2);
  h->parent = rc_alias(p);
  c->holder = h;
  p->children[0] = c;
  rc_drop(p);
  expect(5);
}

int main(void) {
  is_checking = getenv("ACRE_CHECK") != NULL;
  weak_is_none();
  struct child *refcounted c = two_types();
  rc_drop(acre_take(&c->up));
  rc_drop(c);
  expect(0);
  c = two_types();
  rc_drop(c);
  expect(3);
  through_unique();
  return 0;
}
