// Writing the integer member of a union drops the reference that its pointer member held.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

union value {
  node *pointer;
  uintptr_t integer;
  float real;
  struct {
    short low, high;
  } parts;
  char bytes[8];
};
struct cell {
  int tag;
  union value v;
};
static union value global;

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *n = new_node(r);
  struct cell *heap = malloc(sizeof *heap), *cell = ralloc(s, struct cell);
  global.pointer = heap->v.pointer = cell->v.pointer = n;
  CHECK_COUNT(r, 3);
  global.integer = 99;
  CHECK_COUNT(r, 2);
  global.pointer = n;
  global.real = 1.0f;
  CHECK_COUNT(r, 2);
  heap->v.integer++;
  heap->v.integer = 5;
  CHECK_COUNT(r, 1);
  cell->v.parts.high = 7;
  CHECK_COUNT(r, 0);
  cell->v.pointer = n;
  CHECK_COUNT(r, 1);
  cell->v.bytes[6] = 'x';
  CHECK_COUNT(r, 0);
  global.pointer = n;
  CHECK_COUNT(r, 1);
  global.pointer = 0;
  free(heap);
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
