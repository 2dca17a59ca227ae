// Unions inside arrays inside structs: each element counts for itself, copies included.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct machine {
  int top;
  struct {
    unsigned char kind;
    union {
      node *object;
      double number;
      struct {
        node *first, *second;
      } pair;
    } as;
  } stack[8];
};

int main(void) deletes {
  region r = newregion(), s = newregion();
  struct machine *m = ralloc(s, struct machine), *copy = malloc(sizeof *copy);
  node *n = new_node(r);
  for (int i = 0; i < 8; i++) {
    if (i % 2)
      m->stack[i].as.object = n;
    else
      m->stack[i].as.number = i * 1.5;
  }
  CHECK_COUNT(r, 4);
  m->stack[0].as.pair.first = m->stack[0].as.pair.second = n;
  CHECK_COUNT(r, 6);
  *copy = *m;
  CHECK_COUNT(r, 12);
  m->stack[1] = m->stack[2];
  CHECK_COUNT(r, 11);
  for (int i = 0; i < 8; i++)
    copy->stack[i].as.number = 0;
  CHECK_COUNT(r, 6);
  copy->stack[0].as.pair.second = 0;
  CHECK_COUNT(r, 5);
  free(copy);
  CHECK_COUNT(r, 5);
  DELETE_ACCEPTED(s);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}
