// A file that relies on a settled variable may not meet one in which any function may set it.
// RUN: %acre-cc -O2 -c -DUSER %s -o %t.user.o
// RUN: %acre-cc -O2 -c %s -o %t.pinned.o
// RUN: %acre-cc -O2 -c -facre-frames=conservative %s -o %t.conservative.o
// RUN: %acre-cc %t.user.o %t.pinned.o -o %t.right && %t.right
// RUN: %acre-cc %t.user.o %t.conservative.o -o %t.wrong
// RUN: not --crash %t.wrong 2>&1 | %whole %s
// RUN: %acre-cc %t.conservative.o %t.user.o -o %t.swapped
// RUN: not --crash %t.swapped 2>&1 | %whole %s
// RUN: %acre-cc -O2 -c -DUSER -facre-frames=conservative %s -o %t.alike.o
// RUN: %acre-cc -facre-frames=conservative %t.alike.o %t.conservative.o -o %t.alike && %t.alike
// A file without settled variables may be of either kind.
// RUN: %acre-cc -O2 -c -DOTHER %s -o %t.other.o
// RUN: %acre-cc %t.alike.o %t.conservative.o %t.other.o -o %t.both && %t.both
// CHECK: acre: fatal: files that use settled variables are in this program with files compiled with
// CHECK-SAME: -facre-frames=conservative, where any function may set them; compile all alike
#include <acre/acre.h>

typedef struct unit {
  struct unit *sameregion next;
} unit;

extern settled unit *current;
void begin(void) deletes;

#if defined(USER)
static void add(void) {
  unit *fresh = ralloc(regionof(current), unit);
  fresh->next = current->next;
  current->next = fresh;
}

int main(void) {
  begin();
  add();
  return current->next ? 0 : 1;
}
#elif defined(OTHER)
bool unused(region r) deletes;
bool unused(region r) { return deleteregion(r); }
#else
settled unit *current;
void begin(void) { current = ralloc(newregion(), unit); }
#endif
