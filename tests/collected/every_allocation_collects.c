// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=stress,poison %t.O0
// RUN: env ACRE_HEAP=stress,poison %t.O2
// RUN: env ACRE_HEAP=stress,poison,check,limit=16M %t.O2
// With a collection before every allocation nothing that a function still uses is lost: arguments,
// temporaries, results of calls, records passed by value, pointers that are only in registers or
// only into the middle of objects.
#include "Inputs/check.h"

typedef struct tree {
  struct tree *left, *right;
  unsigned long key;
} tree;
typedef struct pair {
  tree *first, *second;
} pair;

static tree *leaf(unsigned long key) {
  tree *t = malloc(sizeof *t);
  *t = (tree){NULL, NULL, key};
  return t;
}

static tree *join(tree *left, tree *right, unsigned long key) {
  tree *t = leaf(key);
  t->left = left;
  t->right = right;
  return t;
}

static tree *build(unsigned long from, unsigned long to) {
  unsigned long middle = from + (to - from) / 2;
  return from == to ? NULL : join(build(from, middle), build(middle + 1, to), middle);
}

static pair split(tree *t) {
  return (pair){join(t->left, leaf(1000), 1001), join(leaf(1002), t->right, 1003)};
}

static unsigned long sum(const tree *t) { return t ? sum(t->left) + sum(t->right) + t->key : 0; }

/* Only the address of a member is kept. */
static unsigned long *key_of_new(unsigned long key) { return &leaf(key)->key; }

static char *concatenate(const char *a, const char *b) {
  char *text = malloc(strlen(a) + strlen(b) + 1);
  return strcat(strcpy(text, a), b);
}

int main(void) {
  tree *t = build(0, 100);
  CHECK(sum(t) == 4950);
  pair p = split(t);
  CHECK(sum(p.first) + sum(p.second) == 4950 - t->key + 1000 + 1001 + 1002 + 1003);
  CHECK(*key_of_new(1) + *key_of_new(2) == 3);
  unsigned long *key = key_of_new(7), *array = calloc(100, sizeof *array), *end = array + 100;
  char *text = "";
  for (int i = 0; i < 30; i++)
    text = concatenate(text, strdup("x"));
  array = NULL;
  CHECK(*key == 7 && strlen(text) == 30 && end[-1] == 0);
  void *grown = NULL;
  for (size_t size = 1; size < 100000; size *= 3) {
    grown = realloc(grown, size);
    memset(grown, 1, size);
  }
  CHECK(((char *)grown)[50000] == 1);
}
