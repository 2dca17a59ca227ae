// A pointer left in a structure of another region.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:26: 1 reference from outside
// CHECK-SAME: remains
// CHECK-NEXT: deleteregion called at [[FILE]]:30
// CHECK-NEXT: 1. field 'view.current' of struct session allocated at [[FILE]]:28 in region
// CHECK-SAME: 'sessions' (created at [[FILE]]:26), stored at [[FILE]]:29 in main, points to struct
// CHECK-SAME: entry allocated at [[FILE]]:29
// CHECK-NEXT: hint: clear these fields first, or delete the regions that hold them together with
// CHECK-SAME: this one (deleteregion_array)
#include <acre/acre.h>

struct entry {
  struct entry *next;
  long key;
};
struct session {
  char name[16];
  struct {
    struct entry *current;
  } view;
};

int main(void) {
  region sessions = newregion(), request = newregion();
  acre_region_set_name(sessions, "sessions");
  struct session *s = ralloc(sessions, struct session);
  s->view.current = ralloc(request, struct entry);
  deleteregion(request);
  deleteregion(sessions);
  return 0;
}
