// A handle that breaks the rule of its slot is not stored.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+9]]: in main: traditional handle may not name region 'child'
// ABORT-SAME: (created at handles.h:24)
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'none' of struct array allocated at handles.h:29 in
// ABORT-SAME: region 'child' (created at handles.h:24)
// ABORT-NEXT: held by region 'child' (created at handles.h:24)
#include "../Inputs/handles.h"

int main(void) deletes {
  struct array *a = array_in_child();
  a->none = child;
}
