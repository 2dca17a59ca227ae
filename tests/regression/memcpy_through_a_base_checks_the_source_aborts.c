// memcpy through a pointer to a base struct obeys the rules of the object that is copied, where the
// destination has none.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: [[FILE]]:[[@LINE+18]]: in copy_base: sameregion pointer may not point into
// ABORT-SAME: the region created at [[FILE]]:[[@LINE+21]]
// ABORT-NEXT: value {{0x[0-9a-f]+}}: array of 3 struct derived allocated at [[FILE]]:[[@LINE+22]]
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: the word at offset 88 of a block of 152 bytes from malloc
// ABORT-NEXT: held by the traditional region
#include "../end_to_end/Inputs/check.h"

struct base {
  long kind;
  struct base *sameregion next;
};
struct derived {
  struct base base;
  long numbers[3];
  struct base *sameregion twin;
};

NOINLINE static void copy_base(struct base *to, const struct base *from, size_t size) {
  memcpy(to, from, size);
}

int main(void) {
  region r = newregion();
  region other = newregion();
  struct derived *from = rarrayalloc(r, 3, struct derived);
  struct derived *to = malloc(3 * sizeof *to);
  (void)other;
  copy_base(&to[1].base, &from[2].base, sizeof *from);
  from[2].twin = &from->base;
  copy_base(&to[1].base, &from[2].base, sizeof *from);
}
// QEMU does not say in its list of mappings which one is the heap.
// UNSUPPORTED: foreign
