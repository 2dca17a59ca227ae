// qsort and qsort_r move records with the elements, in malloc memory, in regions and on the stack.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"

struct element {
  int key;
  node *n;
};

static int by_key(const void *a, const void *b) {
  const struct element *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}
static int by_key_with(const void *a, const void *b, void *sign) {
  return by_key(a, b) * *(int *)sign;
}

static NOINLINE void check_sorted(struct element *e, int count, int sign) {
  for (int i = 0; i < count; i++) {
    int key = sign > 0 ? i : count - 1 - i;
    CHECK(e[i].key == key && (key % 3 == 0) == (e[i].n != 0));
    CHECK(!e[i].n || e[i].n->value == 42);
  }
}

static NOINLINE void sort(struct element *e, int count, region r, size_t elsewhere) deletes {
  node *n = new_node(r);
  for (int i = 0; i < count; i++) {
    int key = i * 37 % count;
    e[i] = (struct element){key, key % 3 == 0 ? n : 0};
  }
  size_t wanted = elsewhere + (count + 2) / 3;
  CHECK_HELD(r, wanted);
  qsort(e, count, sizeof *e, by_key);
  CHECK_COUNT(r, wanted);
  check_sorted(e, count, 1);
  int sign = -1;
  qsort_r(e, count, sizeof *e, by_key_with, &sign);
  CHECK_COUNT(r, wanted);
  check_sorted(e, count, -1);
  for (int i = 0; i < count; i++)
    e[i].n = 0;
  CHECK_COUNT(r, elsewhere);
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  struct element *heap = malloc(1000 * sizeof *heap),
                 *in_region = rarrayalloc(s, 500, struct element), stack[50];
  sort(heap, 1000, r, 0);
  sort(in_region, 500, r, 0);
  sort(stack, 50, r, 0);
  free(heap);
  DELETE_ACCEPTED(r);
  CHECK(acre_verify());
}
