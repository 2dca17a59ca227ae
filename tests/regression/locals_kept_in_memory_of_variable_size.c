// What memory of alloca or an array of variable size held of a variable of the same function, where
// another function had stored it, was taken for what a caller's variable holds.
// RUN: %each_level -o %t %s -- -facre-locals
// RUN: %each_level -o %t %s -- -facre-safe
// RUN: %acre-cc -facre-locals -DWRONG %s -o %t.wrong && not --crash %t.wrong 2>&1 | \
// RUN:   %whole %s --check-prefix=WRONG
// WRONG: acre: fatal: [[FILE]]:52: in wrong: the local variable 'own' ends while a pointer to it
// WRONG-SAME: is kept
// WRONG-NEXT: slot 0x{{[0-9a-f]+}}: a local variable on the stack of function main
// WRONG-NEXT: value 0x{{[0-9a-f]+}} was stored at [[FILE]]:16 in fill
#include "../end_to_end/Inputs/check.h"
#include <alloca.h>

NOINLINE static void fill(int **slots, size_t count, int *value) {
  for (size_t i = 0; i < count; i++)
    slots[i] = value;
}

NOINLINE static int sum(int **slots, size_t count) {
  int total = 0;
  for (size_t i = 0; i < count; i++)
    total += *slots[i];
  return total;
}

NOINLINE static int with_alloca(size_t count) {
  int own = 2, **slots = alloca(count * sizeof *slots);
  fill(slots, count, &own);
  return sum(slots, count);
}

NOINLINE static int with_array(size_t count) {
  int own = 3, *slots[count];
  fill(slots, count, &own);
  return sum(slots, count);
}

NOINLINE static int in_loop(size_t count) {
  int own = 4, total = 0;
  for (size_t i = 1; i <= count; i++) {
    int **slots = alloca(i * sizeof *slots);
    fill(slots, i, &own);
    total += sum(slots, i);
  }
  return total;
}

NOINLINE static void wrong(int **of_caller, size_t count) {
  int own = 5, **slots = alloca(count * sizeof *slots);
  fill(slots, count, &own);
  fill(of_caller, 1, slots[count - 1]);
}

int main(void) {
  CHECK(with_alloca(10) == 20);
  CHECK(with_array(10) == 30);
  CHECK(in_loop(4) == 40);
#ifdef WRONG
  int *kept;
  wrong(&kept, 10);
#endif
}
