/* SPDX-License-Identifier: MIT */
/* trees.c - builds and drops complete binary trees of many sizes beside one that stays.
 *
 * usage: trees DEPTH      prints the number of nodes of each tree, and of all trees of one depth
 * together */
#include "pool.h"

#include <stdint.h>
#include <stdio.h>

enum { LEAST_DEPTH = 4 };

struct tree {
  struct tree *sameregion left, *sameregion right;
};

static struct tree *tree_new(pool p, int depth) {
  struct tree *t = NODE(p, struct tree);
  t->left = depth > 0 ? tree_new(p, depth - 1) : NULL;
  t->right = depth > 0 ? tree_new(p, depth - 1) : NULL;
  return t;
}

static uint32_t tree_count(const struct tree *t) {
  return t->left ? 1 + tree_count(t->left) + tree_count(t->right) : 1;
}

#ifdef POOL_MALLOC
static void tree_release(struct tree *t) {
  if (t->left) {
    tree_release(t->left);
    tree_release(t->right);
  }
  free(t);
}
#else
#define tree_release 0
#endif

/* Builds a tree, counts its nodes and drops it. */
static uint32_t try_tree(int depth) deletes {
  pool p = POOL();
  struct tree *t = tree_new(p, depth);
  uint32_t count = tree_count(t);
  DROP(p, t, tree_release);
  return count;
}

int main(int argc, char **argv) deletes {
  int most = argc == 2 ? atoi(argv[1]) : 0;
  if (most < LEAST_DEPTH || most > 24) {
    fprintf(stderr, "usage: %s DEPTH (%d to 24)\n", argv[0], LEAST_DEPTH);
    return 2;
  }
  printf("%u\n", try_tree(most + 1));
  pool p = POOL();
  struct tree *staying = tree_new(p, most);
  for (int depth = LEAST_DEPTH; depth <= most; depth += 2) {
    int rounds = 1 << (most - depth + LEAST_DEPTH);
    uint32_t count = 0;
    for (int i = 0; i < rounds; i++)
      count += try_tree(depth);
    printf("%d %d %u\n", depth, rounds, count);
  }
  printf("%u\n", tree_count(staying));
  DROP(p, staying, tree_release);
  return 0;
}
