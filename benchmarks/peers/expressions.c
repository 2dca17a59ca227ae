/* SPDX-License-Identifier: MIT */
/* expressions.c - parses texts of arithmetic into trees, evaluates each and drops it.
 *
 * usage: expressions ROUNDS      prints the sum of the values of all texts, as often as there are
 * rounds
 *
 * The texts are made up first, the same in every language: see text_write. */
#include "pool.h"

#include <stdint.h>
#include <stdio.h>

enum { TEXTS = 16, DEPTH = 13, TEXT_MAX = 1 << 20 };

struct node {
  struct node *sameregion left, *sameregion right;
  uint32_t value; /* of a number; of a variable, its place in the alphabet */
  char kind;      /* '0' number, 'a' variable, '_' negation, or the operator */
};

/* -- Texts ------------------------------------------------------------------------------------- */

struct text {
  char *chars;
  size_t size;
};

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t bound) {
  random_state = random_state * 1664525 + 1013904223;
  return (random_state >> 16) % bound;
}

static void text_add(struct text *t, char c) {
  if (t->size == TEXT_MAX)
    abort();
  t->chars[t->size++] = c;
}

static void text_write(struct text *t, int depth) {
  if (depth == 0 || random_below(8) == 0) {
    if (random_below(4) == 0) {
      text_add(t, (char)('a' + random_below(26)));
    } else {
      text_add(t, (char)('1' + random_below(9)));
      text_add(t, (char)('0' + random_below(10)));
    }
    return;
  }
  if (random_below(10) == 0)
    text_add(t, '-');
  text_add(t, '(');
  text_write(t, depth - 1);
  text_add(t, "+-*"[random_below(3)]);
  text_write(t, depth - 1);
  text_add(t, ')');
}

/* -- Trees ------------------------------------------------------------------------------------- */

static struct node *node_new(pool p, char kind, uint32_t value, struct node *left,
                             struct node *right) {
  struct node *n = NODE(p, struct node);
  n->kind = kind;
  n->value = value;
  n->left = left;
  n->right = right;
  return n;
}

static struct node *parse(pool p, const char **at) {
  char c = *(*at)++;
  if (c == '(') {
    struct node *left = parse(p, at);
    char operator = *(*at)++;
    struct node *right = parse(p, at);
    ++*at;
    return node_new(p, operator, 0, left, right);
  }
  if (c == '-')
    return node_new(p, '_', 0, parse(p, at), NULL);
  if (c >= 'a')
    return node_new(p, 'a', (uint32_t)(c - 'a' + 1), NULL, NULL);
  uint32_t value = (uint32_t)(c - '0');
  while (**at >= '0' && **at <= '9')
    value = value * 10 + (uint32_t)(*(*at)++ - '0');
  return node_new(p, '0', value, NULL, NULL);
}

static uint32_t evaluate(const struct node *n) {
  switch (n->kind) {
  case '+':
    return evaluate(n->left) + evaluate(n->right);
  case '-':
    return evaluate(n->left) - evaluate(n->right);
  case '*':
    return evaluate(n->left) * evaluate(n->right);
  case '_':
    return -evaluate(n->left);
  default:
    return n->value;
  }
}

#ifdef POOL_MALLOC
static void node_release(struct node *n) {
  if (n->left)
    node_release(n->left);
  if (n->right)
    node_release(n->right);
  free(n);
}
#else
#define node_release 0
#endif

static uint32_t value_of(const struct text *t) deletes {
  pool p = POOL();
  const char *at = t->chars;
  struct node *n = parse(p, &at);
  uint32_t value = evaluate(n);
  DROP(p, n, node_release);
  return value;
}

int main(int argc, char **argv) deletes {
  static struct text texts[TEXTS];
  long rounds = argc == 2 ? atol(argv[1]) : 0;
  if (rounds < 1) {
    fprintf(stderr, "usage: %s ROUNDS\n", argv[0]);
    return 2;
  }
  for (int i = 0; i < TEXTS; i++) {
    texts[i].chars = calloc(TEXT_MAX + 1, 1);
    if (!texts[i].chars)
      abort();
    text_write(&texts[i], DEPTH);
  }
  uint32_t sum = 0;
  for (long round = 0; round < rounds; round++)
    for (int i = 0; i < TEXTS; i++)
      sum = sum * 31 + value_of(&texts[i]);
  printf("%u\n", sum);
  for (int i = 0; i < TEXTS; i++)
    free(texts[i].chars);
  return 0;
}
