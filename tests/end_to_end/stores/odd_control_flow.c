// Statement expressions, computed goto, switch fall-through, comma and conditional lvalues, K&R
// definitions, macros.
// RUN: %each_level -o %t %s -- -Wno-deprecated-non-prototype
#include "../Inputs/check.h"

static node *left, *right;
static node *table[3];

#define SWAP(a, b)             \
  do {                         \
    __typeof__(a) swap_ = (a); \
    (a) = (b);                 \
    (b) = swap_;               \
  } while (0)
#define FIRST(a, ...) (a)
#define STORE(slot, value) FIRST(((slot) = (value)), unused)

static NOINLINE node *kr(slot, n, count)
  node **slot;
  node *n;
  int count;
{
  while (count-- > 0)
    *slot++ = n;
  return n;
}

static NOINLINE void threaded(region r, const char *code) {
  static void *const labels[] = {&&push, &&drop, &&stop};
  int top = 0;
  goto *labels[*code++ - '0'];
push:
  table[top++] = new_node(r);
  goto *labels[*code++ - '0'];
drop:
  table[--top] = 0;
  goto *labels[*code++ - '0'];
stop:
  CHECK_COUNT(r, top);
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  threaded(r, "0001012");
  table[0] = table[1] = table[2] = 0;
  node *a = new_node(r), *b = new_node(s);
  left = ({
    node *inner = a;
    opaque(&inner);
    inner;
  });
  (void)(opaque(left), right = b);
  CHECK_COUNT(s, 1);
  SWAP(left, right);
  CHECK(left == b && right == a);
  node **where = r ? &left : &right;
  *(s ? where : 0) = a;
  CHECK_COUNT(s, 0);
  STORE(*(STORE(left, b), &table[1]), a);
  CHECK(table[1] == a && left == b);
  left = a;
  switch ((int)(long)opaque((void *)1)) {
  case 0:
    left = 0;
    __attribute__((fallthrough));
  case 1:
    table[0] = b;
    __attribute__((fallthrough));
  case 2:
    table[2] = b;
    break;
  default:
    right = 0;
  }
  CHECK_COUNT(s, 2);
  CHECK(kr(table, a, 3) == a);
  CHECK_COUNT(s, 0);
  CHECK_COUNT(r, 5);
  for (node **t = table; t < table + 3; *t++ = 0)
    ;
  left = right = 0;
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}
