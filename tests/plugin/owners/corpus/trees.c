/* SPDX-License-Identifier: MIT */
/* Trees and recursion: search trees, tries, syntax trees, parents. */
#include "corpus.h"

struct tree {
  struct tree *unique left, *unique right;
  struct tree *parent;
  char *unique value;
  int key;
};

// right
void tree_free(struct tree *unique t) {
  if (!t) return;
  tree_free(acre_take(&t->left));
  tree_free(acre_take(&t->right));
  free(acre_take(&t->value));
  free(t);
}

// leak: the right child
void tree_free_left(struct tree *unique t) {
  if (!t) return;
  tree_free_left(acre_take(&t->left));
  free(acre_take(&t->value));
  free(t);
}

// wrong: the right child is taken after the node was freed
void tree_free_first(struct tree *unique t) {
  if (!t) return;
  tree_free_first(acre_take(&t->left));
  free(t);
  tree_free_first(acre_take(&t->right));
}

// right
void tree_free_drop(struct tree *unique t) { acre_drop(t); }

// right
const char *borrowed tree_get(const struct tree *borrowed t, int key) {
  while (t && t->key != key) t = key < t->key ? t->left : t->right;
  return t ? t->value : NULL;
}

// right
struct tree *unique tree_node(int key, char *unique value) {
  struct tree *unique t = calloc(1, sizeof *t);
  if (!t) {
    free(value);
    return NULL;
  }
  t->key = key;
  t->value = value;
  return t;
}

// leak: the value when there is no memory
struct tree *unique tree_node_loses(int key, char *unique value) {
  struct tree *unique t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->key = key;
  t->value = value;
  return t;
}

// wrong: the value belongs to the node and is freed
struct tree *unique tree_node_frees(int key, char *unique value) {
  struct tree *unique t = calloc(1, sizeof *t);
  if (t) {
    t->key = key;
    t->value = value;
  }
  free(value);
  return t;
}

// right
bool tree_put(struct tree *unique *borrowed root, int key, char *unique value) {
  struct tree *unique *p = root;
  while (*p && (*p)->key != key) p = key < (*p)->key ? &(*p)->left : &(*p)->right;
  if (*p) {
    free(acre_swap(&(*p)->value, value));
    return false;
  }
  *p = tree_node(key, value);
  return *p != NULL;
}

// leak: the old value
bool tree_put_loses(struct tree *unique *borrowed root, int key, char *unique value) {
  struct tree *unique *p = root;
  while (*p && (*p)->key != key) p = key < (*p)->key ? &(*p)->left : &(*p)->right;
  if (*p) {
    acre_swap(&(*p)->value, value);
    return false;
  }
  *p = tree_node(key, value);
  return *p != NULL;
}

// right
struct tree *unique tree_insert(struct tree *unique t, int key, char *unique value) {
  if (!t) return tree_node(key, value);
  if (key < t->key)
    t->left = tree_insert(acre_take(&t->left), key, value);
  else if (key > t->key)
    t->right = tree_insert(acre_take(&t->right), key, value);
  else
    free(acre_swap(&t->value, value));
  return t;
}

// wrong: the child has two owners meanwhile
struct tree *unique tree_insert_copies(struct tree *unique t, int key, char *unique value) {
  if (!t) return tree_node(key, value);
  if (key < t->key)
    t->left = tree_insert_copies(t->left, key, value);
  else
    t->right = tree_insert_copies(t->right, key, value);
  return t;
}

// leak: the value if the key is there
struct tree *unique tree_insert_new(struct tree *unique t, int key, char *unique value) {
  if (!t) return tree_node(key, value);
  if (key < t->key)
    t->left = tree_insert_new(acre_take(&t->left), key, value);
  else if (key > t->key)
    t->right = tree_insert_new(acre_take(&t->right), key, value);
  return t;
}

// right
struct tree *unique rotate_right(struct tree *unique t) {
  struct tree *unique left = acre_take(&t->left);
  if (!left) return t;
  t->left = acre_take(&left->right);
  left->right = t;
  return left;
}

// wrong: t is used after left owns it
struct tree *unique rotate_right_late(struct tree *unique t) {
  struct tree *unique left = acre_take(&t->left);
  if (!left) return t;
  left->right = t;
  t->left = acre_take(&left->right);
  return left;
}

// leak: t
struct tree *unique rotate_right_loses(struct tree *unique t) {
  struct tree *unique left = acre_take(&t->left);
  if (!left) return t;
  t->left = acre_take(&left->right);
  return left;
}

// right
struct tree *unique tree_take_min(struct tree *unique *borrowed root) {
  struct tree *unique *p = root;
  if (!*p) return NULL;
  while ((*p)->left) p = &(*p)->left;
  struct tree *unique min = acre_take(p);
  *p = acre_take(&min->right);
  return min;
}

// right
void tree_delete(struct tree *unique *borrowed root, int key) {
  struct tree *unique *p = root;
  while (*p && (*p)->key != key) p = key < (*p)->key ? &(*p)->left : &(*p)->right;
  if (!*p) return;
  struct tree *unique dead = acre_take(p);
  if (!dead->left) {
    *p = acre_take(&dead->right);
  } else if (!dead->right) {
    *p = acre_take(&dead->left);
  } else {
    struct tree *unique min = tree_take_min(&dead->right);
    if (min) {
      min->left = acre_take(&dead->left);
      min->right = acre_take(&dead->right);
      *p = min;
    }
  }
  acre_drop(dead);
}

// leak: both subtrees of the dead node
void tree_delete_loses(struct tree *unique *borrowed root, int key) {
  struct tree *unique *p = root;
  while (*p && (*p)->key != key) p = key < (*p)->key ? &(*p)->left : &(*p)->right;
  if (!*p) return;
  struct tree *unique dead = acre_take(p);
  free(acre_take(&dead->value));
  free(dead);
}

// wrong: the dead node's child is moved after it was dropped
void tree_delete_late(struct tree *unique *borrowed root) {
  struct tree *unique dead = acre_take(root);
  if (!dead) return;
  acre_drop(dead);
  *root = acre_take(&dead->left);
}

// right
int tree_height(const struct tree *borrowed t) {
  if (!t) return 0;
  int l = tree_height(t->left), r = tree_height(t->right);
  return 1 + (l > r ? l : r);
}

// right
static int tree_count(const struct tree *t) {
  return t ? 1 + tree_count(t->left) + tree_count(t->right) : 0;
}

int tree_size(const struct tree *borrowed t) { return tree_count(t); }

// right
struct tree *unique tree_copy(const struct tree *borrowed t) {
  if (!t) return NULL;
  struct tree *unique copy = calloc(1, sizeof *copy);
  if (!copy) return NULL;
  copy->key = t->key;
  copy->left = tree_copy(t->left);
  copy->right = tree_copy(t->right);
  copy->value = t->value ? strdup(t->value) : NULL;
  return copy;
}

// wrong: the copy owns the same value
struct tree *unique tree_copy_shares(const struct tree *borrowed t) {
  if (!t) return NULL;
  struct tree *unique copy = calloc(1, sizeof *copy);
  if (!copy) return NULL;
  copy->key = t->key;
  copy->value = t->value;
  return copy;
}

// right
void tree_adopt(struct tree *borrowed parent, struct tree *unique child) {
  child->parent = acre_unowned(parent);
  acre_drop(acre_swap(&parent->left, child));
}

// leak: the child that was there
void tree_adopt_loses(struct tree *borrowed parent, struct tree *unique child) {
  child->parent = acre_unowned(parent);
  (void)acre_swap(&parent->left, child);
}

// wrong: a child is used after its parent was dropped
int tree_child_late(struct tree *unique t) {
  struct tree *child = t->left;
  acre_drop(t);
  return child ? child->key : 0;
}

enum kind { NUMBER, ADD, NEGATE };

struct expression {
  enum kind kind;
  long number;
  struct expression *unique left, *unique right;
};

struct lexer {
  const char *at;
};

void expression_free(struct expression *unique e);
struct expression *unique parse_term(struct lexer *borrowed in);

// right
struct expression *unique binary(enum kind kind, struct expression *unique l,
                                 struct expression *unique r) {
  struct expression *unique e = calloc(1, sizeof *e);
  if (!e) {
    expression_free(l);
    expression_free(r);
    return NULL;
  }
  e->kind = kind;
  e->left = l;
  e->right = r;
  return e;
}

// leak: the right operand
struct expression *unique binary_loses(enum kind kind, struct expression *unique l,
                                       struct expression *unique r) {
  struct expression *unique e = calloc(1, sizeof *e);
  if (!e) {
    expression_free(l);
    return NULL;
  }
  e->kind = kind;
  e->left = l;
  e->right = r;
  return e;
}

// wrong: one operand twice
struct expression *unique doubled(struct expression *unique l) { return binary(ADD, l, l); }

// right
struct expression *unique parse_sum(struct lexer *borrowed in) {
  struct expression *unique left = parse_term(in);
  while (left && *in->at == '+') {
    in->at++;
    struct expression *unique right = parse_term(in);
    if (!right) {
      expression_free(left);
      return NULL;
    }
    left = binary(ADD, left, right);
  }
  return left;
}

// leak: the left operand in case of a mistake
struct expression *unique parse_sum_loses(struct lexer *borrowed in) {
  struct expression *unique left = parse_term(in);
  while (left && *in->at == '+') {
    in->at++;
    struct expression *unique right = parse_term(in);
    if (!right) return NULL;
    left = binary(ADD, left, right);
  }
  return left;
}

// wrong: goes on with the freed operand
struct expression *unique parse_sum_goes_on(struct lexer *borrowed in) {
  struct expression *unique left = parse_term(in);
  while (left && *in->at == '+') {
    in->at++;
    struct expression *unique right = parse_term(in);
    if (!right) expression_free(left);
    left = binary(ADD, left, right);
  }
  return left;
}

// right
long evaluate(const struct expression *borrowed e) {
  switch (e->kind) {
    case NUMBER: return e->number;
    case ADD: return evaluate(e->left) + evaluate(e->right);
    case NEGATE: return -evaluate(e->left);
  }
  return 0;
}

// right
struct expression *unique fold(struct expression *unique e) {
  if (!e || e->kind == NUMBER) return e;
  e->left = fold(acre_take(&e->left));
  e->right = fold(acre_take(&e->right));
  if (e->kind == ADD && e->left && e->right && e->left->kind == NUMBER &&
      e->right->kind == NUMBER) {
    e->number = e->left->number + e->right->number;
    e->kind = NUMBER;
    expression_free(acre_take(&e->left));
    expression_free(acre_take(&e->right));
  }
  return e;
}

// right
struct expression *unique strip_negations(struct expression *unique e) {
  while (e && e->kind == NEGATE && e->left && e->left->kind == NEGATE) {
    struct expression *unique inner = acre_take(&e->left->left);
    expression_free(e);
    e = inner;
  }
  return e;
}

// wrong: the operand of what was freed
struct expression *unique strip_negation_late(struct expression *unique e) {
  if (e && e->kind == NEGATE) {
    struct expression *inner = e->left;
    expression_free(e);
    note(inner->kind);
    return NULL;
  }
  return e;
}

// leak: the outer node
struct expression *unique strip_negation_loses(struct expression *unique e) {
  if (e && e->kind == NEGATE) return acre_take(&e->left);
  return e;
}

#define FANOUT 26

struct trie {
  struct trie *unique child[FANOUT];
  char *unique word;
};

// right
bool trie_add(struct trie *borrowed t, const char *word) {
  for (const char *c = word; *c; c++) {
    struct trie *unique *p = &t->child[*c - 'a'];
    if (!*p) *p = calloc(1, sizeof **p);
    if (!*p) return false;
    t = *p;
  }
  free(acre_swap(&t->word, strdup(word)));
  return t->word != NULL;
}

// leak: the word that was there
bool trie_add_loses(struct trie *borrowed t, const char *word) {
  for (const char *c = word; *c; c++) {
    struct trie *unique *p = &t->child[*c - 'a'];
    if (!*p) *p = calloc(1, sizeof **p);
    if (!*p) return false;
    t = *p;
  }
  acre_swap(&t->word, strdup(word));
  return true;
}

// right
void trie_free(struct trie *unique t) {
  if (!t) return;
  for (int i = 0; i < FANOUT; i++) trie_free(acre_take(&t->child[i]));
  free(acre_take(&t->word));
  free(t);
}

// wrong: the children are freed after the node
void trie_free_order(struct trie *unique t) {
  if (!t) return;
  free(acre_take(&t->word));
  free(t);
  for (int i = 0; i < FANOUT; i++) trie_free_order(acre_take(&t->child[i]));
}

// leak: the word
void trie_free_loses(struct trie *unique t) {
  if (!t) return;
  for (int i = 0; i < FANOUT; i++) trie_free_loses(acre_take(&t->child[i]));
  free(t);
}

// right
int trie_words(const struct trie *borrowed t) {
  int n = t->word != NULL;
  for (int i = 0; i < FANOUT; i++)
    if (t->child[i]) n += trie_words(t->child[i]);
  return n;
}
