// Stores to bit-fields and small members beside a pointer leave its count alone.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct mixed {
  unsigned kind : 3;
  unsigned long count : 40;
  node *n;
  unsigned char flag : 1;
  short s;
  struct {
    node *m;
    unsigned a : 1, b : 2;
  } inner;
};

int main(void) deletes {
  region r = newregion();
  struct mixed *m = calloc(1, sizeof *m), copy;
  m->n = m->inner.m = new_node(r);
  for (int i = 0; i < 8; i++) {
    m->kind = i;
    m->count = i * 1000000000ul;
    m->flag = i;
    m->s = i;
    m->inner.a = i;
    m->inner.b = i;
    CHECK_COUNT(r, 2);
  }
  copy = *m;
  opaque(&copy);
  CHECK_HELD(r, 4);
  CHECK(copy.n == m->n && copy.inner.m == m->n && copy.kind == 7 && copy.inner.b == 3);
  m->n = 0;
  m->inner = (__typeof__(m->inner)){.a = 1};
  CHECK_HELD(r, 2);
  free(m);
}
