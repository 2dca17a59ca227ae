// A pointer left in a union is named by the member that its type fits.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:33: 2 references from outside
// CHECK-SAME: remain
// CHECK-NEXT: deleteregion called at [[FILE]]:37
// CHECK-NEXT: 1. global variable 'top.as.text' ([[FILE]]:30), stored at [[FILE]]:36 in main, points
// CHECK-SAME: to text "GET index.html HTTP/1.1" allocated at [[FILE]]:36
// CHECK-NEXT: 2. field 'as.leaf' of struct value allocated at [[FILE]]:34 in the region created at
// CHECK-SAME: [[FILE]]:33, stored at [[FILE]]:35 in main, points to struct leaf allocated at
// CHECK-SAME: [[FILE]]:35
// CHECK-NEXT: hint: set these variables to null before the region is deleted
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct leaf {
  double weight;
};
struct value {
  int kind;
  union {
    struct entry *entry;
    struct leaf *leaf;
    char *text;
  } as;
};
static struct value top;

int main(void) {
  region others = newregion(), r = newregion();
  struct value *v = ralloc(others, struct value);
  v->as.leaf = ralloc(r, struct leaf);
  top.as.text = rstrdup(r, "GET /index.html HTTP/1.1");
  deleteregion(r);
  deleteregion(others);
  return 0;
}
