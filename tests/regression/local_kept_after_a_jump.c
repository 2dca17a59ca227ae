// What still points to a frame that longjmp has left is judged when the next variable ends.
// RUN: %each_level --expect-abort -o %t %s -- -facre-locals
// ABORT: acre: fatal: [[FILE]]:{{[0-9]+}}: in catch: a local variable ends while a pointer to it
// ABORT-SAME: is kept
// ABORT-NEXT: slot 0x{{[0-9a-f]+}}: global variable 'handlers' ([[FILE]]{{(:[0-9]+)?}})
// ABORT-NEXT: value 0x{{[0-9a-f]+}} was stored at [[FILE]]:{{[0-9]+}} in nest
#include "../end_to_end/Inputs/check.h"
#include <setjmp.h>

struct handler {
  struct handler *outer;
};
static struct handler *handlers;
static jmp_buf caught;

NOINLINE static void fill(char *to) { memset(to, 0, 8); }

NOINLINE static void nest(void) {
  struct handler own = {handlers};
  handlers = &own;
  longjmp(caught, 1);
}

NOINLINE static int catch(void) {
  char text[8];
  if (setjmp(caught) == 0)
    nest();
  fill(text);
  return text[0];
}

int main(void) { return catch(); }
