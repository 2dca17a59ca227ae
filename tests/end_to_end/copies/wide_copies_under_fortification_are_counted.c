// wmemcpy and its like lost pointers where the C library's headers check sizes, which gives them
// other names.
// RUN: %each_level -o %t %s
// RUN: %acre-cc -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 %s -o %t.fortified
// RUN: %t.fortified
// RUN: %acre-cc -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 %s -o %t.fortified
// RUN: %t.fortified
#define _GNU_SOURCE
#include "../Inputs/check.h"
#include <wchar.h>

struct message {
  long kind;
  node *body;
};
#define WIDE (sizeof(struct message) / sizeof(wchar_t))

NOINLINE static void copy(struct message *to, const struct message *from, size_t count) {
  wmemcpy((wchar_t *)&to[0], (const wchar_t *)from, count);
  wmemmove((wchar_t *)&to[1], (const wchar_t *)from, count);
  wmempcpy((wchar_t *)&to[2], (const wchar_t *)from, count);
}

static struct message fixed[3];

int main(void) {
  region r = newregion();
  struct message from = {1, new_node(r)}, *to = calloc(3, sizeof *to);
  copy(to, opaque(&from), (size_t)opaque((void *)WIDE));
  copy(fixed, opaque(&from), (size_t)opaque((void *)WIDE));
  CHECK_COUNT(r, 6);
  wmemset((wchar_t *)fixed, 0, 3 * WIDE);
  CHECK_COUNT(r, 3);
  free(to);
  CHECK_COUNT(r, 0);
}
