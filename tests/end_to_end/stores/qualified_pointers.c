// const, volatile and restrict pointers, and pointers to qualified types, count like any others.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct qualified {
  const node *to_const;
  node *volatile volatile_slot;
  const char *const text;
  node *restrict unaliased;
};
static const node *global;

static NOINLINE void copy(node **restrict to, node *const *restrict from, int count) {
  for (int i = 0; i < count; i++)
    to[i] = from[i];
}

int main(void) deletes {
  region r = newregion();
  struct qualified *q = malloc(sizeof *q);
  node *n = new_node(r);
  memcpy(q, &(struct qualified){n, n, (const char *)n, n}, sizeof *q);
  CHECK_COUNT(r, 4);
  q->to_const = 0;
  q->volatile_slot = 0;
  CHECK_COUNT(r, 2);
  global = n;
  node **from = calloc(64, sizeof *from), **to = calloc(64, sizeof *to);
  for (int i = 0; i < 64; i += 2)
    from[i] = n;
  copy(to, from, 64);
  CHECK_COUNT(r, 3 + 32 + 32);
  const node *const constant = n;
  DELETE_REFUSED(r);
  CHECK(constant->value == 42);
  free(from);
  free(to);
  free(q);
  global = 0;
  DELETE_ACCEPTED(r);
}
