/* SPDX-License-Identifier: MIT */
/* Tries, a spell checker, line differences, search trees, a bounded top list: right, wrong and
 * leaking. */
#include "corpus.h"

struct trie {
  struct trie *unique child[26];
  char *unique note;
  unsigned count;
};

struct word {
  char *unique text;
  unsigned score;
};

struct suggestions {
  struct word *unique word;
  size_t count, max;
};

struct node {
  struct node *unique left, *unique right;
  char *unique key;
  char *unique value;
  int height;
};

struct lines {
  char *unique text;
  size_t *unique start;
  size_t count;
};

struct hunk {
  char op;
  size_t from, count;
  struct hunk *unique next;
};

// right: the node of a word, made on the way
static struct trie *borrowed trie_slot(struct trie *borrowed t, const char *word) {
  for (; *word; word++) {
    int i = tolower((unsigned char)*word) - 'a';
    if (i < 0 || i >= 26)
      continue;
    if (!t->child[i])
      t->child[i] = calloc(1, sizeof *t);
    t = t->child[i];
    if (!t)
      return NULL;
  }
  return t;
}

// right
static const struct trie *borrowed trie_find(const struct trie *borrowed t, const char *word) {
  for (; t && *word; word++) {
    int i = tolower((unsigned char)*word) - 'a';
    if (i < 0 || i >= 26)
      return NULL;
    t = t->child[i];
  }
  return t;
}

// right
bool trie_add(struct trie *borrowed root, const char *borrowed word, const char *borrowed note) {
  struct trie *t = trie_slot(root, word);
  if (!t)
    return false;
  t->count++;
  if (note)
    free(acre_swap(&t->note, strdup(note)));
  return true;
}

// right
void trie_free(struct trie *unique t) {
  if (!t)
    return;
  for (int i = 0; i < 26; i++)
    trie_free(acre_take(&t->child[i]));
  free(acre_take(&t->note));
  free(t);
}

// right: frees what has no words; whether t itself has none
bool trie_prune(struct trie *borrowed t) {
  bool empty = t->count == 0;
  for (int i = 0; i < 26; i++) {
    if (!t->child[i])
      continue;
    if (trie_prune(t->child[i]))
      acre_drop(acre_take(&t->child[i]));
    else
      empty = false;
  }
  return empty;
}

// right
struct trie *unique trie_load(FILE *borrowed in) {
  struct trie *unique root = calloc(1, sizeof *root);
  char word[64];
  while (root && fscanf(in, "%63s", word) == 1)
    if (!trie_add(root, word, NULL)) {
      trie_free(root);
      root = NULL;
    }
  return root;
}

// leak: the note is set to null and not freed
bool trie_forget(struct trie *borrowed root, const char *borrowed word) {
  struct trie *t = trie_slot(root, word);
  if (!t || !t->count)
    return false;
  t->count = 0;
  t->note = NULL;
  return true;
}

// wrong: the note is given out after the trie was pruned
size_t trie_note(struct trie *borrowed root, const char *borrowed word, char *borrowed out,
                 size_t size) {
  const struct trie *t = trie_find(root, word);
  if (!t || !t->note)
    return 0;
  trie_prune(root);
  return (size_t)snprintf(out, size, "%s", t->note);
}

// right: keeps the best, sorted
bool suggest(struct suggestions *borrowed s, const char *borrowed text, unsigned score) {
  size_t i = s->count;
  while (i > 0 && s->word[i - 1].score < score)
    i--;
  if (i >= s->max)
    return false;
  char *unique copy = strdup(text);
  if (!copy)
    return false;
  if (s->count == s->max)
    free(acre_take(&s->word[--s->count].text));
  for (size_t j = s->count++; j > i; j--) {
    s->word[j].text = acre_take(&s->word[j - 1].text);
    s->word[j].score = s->word[j - 1].score;
  }
  s->word[i].text = copy;
  s->word[i].score = score;
  return true;
}

// right
struct suggestions *unique suggestions_new(size_t max) {
  struct suggestions *unique s = malloc(sizeof *s);
  if (!s)
    return NULL;
  s->count = 0;
  s->max = max;
  s->word = calloc(max, sizeof *s->word);
  if (!s->word) {
    free(s);
    return NULL;
  }
  return s;
}

// right
void suggestions_free(struct suggestions *unique s) {
  if (!s)
    return;
  acre_drop_array(acre_take(&s->word), s->max);
  free(s);
}

// right: tries each word with one letter changed
struct suggestions *unique spell(const struct trie *borrowed dictionary,
                                 const char *borrowed word) {
  struct suggestions *unique s = suggestions_new(8);
  char *unique work = strdup(word);
  if (!s || !work) {
    suggestions_free(s);
    free(work);
    return NULL;
  }
  for (char *p = work; *p; p++) {
    char was = *p;
    for (char c = 'a'; c <= 'z'; c++) {
      *p = c;
      const struct trie *t = trie_find(dictionary, work);
      if (t && t->count)
        suggest(s, work, t->count);
    }
    *p = was;
  }
  free(work);
  return s;
}

// leak: the others are freed without their texts (known: one element was taken)
char *unique spell_best(const struct trie *borrowed dictionary, const char *borrowed word) {
  struct suggestions *unique s = spell(dictionary, word);
  if (!s)
    return NULL;
  char *unique best = s->count ? acre_take(&s->word[0].text) : NULL;
  free(acre_take(&s->word));
  free(s);
  return best;
}

// wrong: the text is taken of suggestions that are gone
bool spell_fix(const struct trie *borrowed dictionary, char *borrowed word, size_t size) {
  struct suggestions *unique s = spell(dictionary, word);
  if (!s)
    return false;
  const char *best = s->count ? s->word[0].text : NULL;
  suggestions_free(s);
  if (!best)
    return false;
  snprintf(word, size, "%s", best);
  return true;
}

// right
static int node_height(const struct node *n) { return n ? n->height : 0; }

// right
static struct node *unique rotate_right(struct node *unique n) {
  struct node *unique l = acre_take(&n->left);
  n->left = acre_take(&l->right);
  n->height = 1 + (node_height(n->left) > node_height(n->right) ? node_height(n->left)
                                                                : node_height(n->right));
  l->height = 1 + (node_height(l->left) > n->height ? node_height(l->left) : n->height);
  l->right = n;
  return l;
}

// right
static struct node *unique tree_put(struct node *unique n, const char *borrowed key,
                                    char *unique value) {
  if (!n) {
    struct node *unique fresh = calloc(1, sizeof *fresh);
    char *unique name = strdup(key);
    if (!fresh || !name) {
      free(fresh);
      free(name);
      free(value);
      return NULL;
    }
    fresh->key = name;
    fresh->value = value;
    fresh->height = 1;
    return fresh;
  }
  int c = strcmp(key, n->key);
  if (c == 0) {
    free(acre_swap(&n->value, value));
    return n;
  }
  struct node *unique *side = c < 0 ? &n->left : &n->right;
  struct node *unique sub = tree_put(acre_take(side), key, value);
  *side = sub;
  int l = node_height(n->left), r = node_height(n->right);
  n->height = 1 + (l > r ? l : r);
  if (l > r + 1)
    return rotate_right(n);
  return n;
}

// right: takes out the leftmost node
static struct node *unique tree_remove_min(struct node *unique *borrowed root) {
  struct node *unique *p = root;
  if (!*p)
    return NULL;
  while ((*p)->left)
    p = &(*p)->left;
  struct node *unique min = acre_take(p);
  *p = acre_take(&min->right);
  return min;
}

// right
bool tree_remove(struct node *unique *borrowed root, const char *borrowed key) {
  struct node *unique *p = root;
  int c;
  while (*p && (c = strcmp(key, (*p)->key)) != 0)
    p = c < 0 ? &(*p)->left : &(*p)->right;
  if (!*p)
    return false;
  struct node *unique gone = acre_take(p);
  if (!gone->left) {
    *p = acre_take(&gone->right);
  } else if (!gone->right) {
    *p = acre_take(&gone->left);
  } else {
    struct node *unique next = tree_remove_min(&gone->right);
    next->left = acre_take(&gone->left);
    next->right = acre_take(&gone->right);
    *p = next;
  }
  acre_drop(gone);
  return true;
}

// leak: the right side of what is removed is lost
bool tree_cut(struct node *unique *borrowed root) {
  struct node *unique n = acre_take(root);
  if (!n)
    return false;
  *root = acre_take(&n->left);
  free(acre_take(&n->key));
  free(acre_take(&n->value));
  free(n);
  return true;
}

// wrong: value is freed by tree_put and then here, too
struct node *unique tree_replace(struct node *unique root, const char *borrowed key,
                                 const char *borrowed text) {
  char *unique value = strdup(text);
  if (!value)
    return root;
  root = tree_put(root, key, value);
  if (!root)
    free(value);
  return root;
}

// right
struct lines *unique lines_read(FILE *borrowed in) {
  struct lines *unique l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  size_t length = 0, size = 0;
  int c;
  while ((c = getc(in)) != EOF) {
    if (length == size) {
      size = size ? size * 2 : 256;
      char *unique text = realloc(l->text, size + 1);
      if (!text)
        goto fail;
      l->text = text;
    }
    if (length == 0 || l->text[length - 1] == '\0') {
      size_t *unique start = realloc(l->start, (l->count + 1) * sizeof *start);
      if (!start)
        goto fail;
      l->start = start;
      l->start[l->count++] = length;
    }
    l->text[length++] = c == '\n' ? '\0' : (char)c;
    l->text[length] = '\0';
  }
  return l;
fail:
  acre_drop(l);
  return NULL;
}

// right: joins with the last one if it can
static bool hunk_add(struct hunk *unique *borrowed list, char op, size_t from) {
  struct hunk *unique *p = list;
  struct hunk *last = NULL;
  while (*p) {
    last = *p;
    p = &(*p)->next;
  }
  if (last && last->op == op && last->from + last->count == from) {
    last->count++;
    return true;
  }
  struct hunk *unique h = malloc(sizeof *h);
  if (!h)
    return false;
  *h = (struct hunk){.op = op, .from = from, .count = 1};
  *p = h;
  return true;
}

// right
int diff(const struct lines *borrowed a, const struct lines *borrowed b,
         struct hunk *unique *acre_out result) {
  size_t n = a->count, m = b->count, w = m + 1;
  unsigned *unique lcs = calloc((n + 1) * w, sizeof *lcs);
  struct hunk *unique hunks = NULL;
  if (!lcs)
    return -1;
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;) {
      if (strcmp(a->text + a->start[i], b->text + b->start[j]) == 0)
        lcs[i * w + j] = lcs[(i + 1) * w + j + 1] + 1;
      else
        lcs[i * w + j] =
            lcs[(i + 1) * w + j] > lcs[i * w + j + 1] ? lcs[(i + 1) * w + j] : lcs[i * w + j + 1];
    }
  bool ok = true;
  for (size_t i = 0, j = 0; ok && (i < n || j < m);) {
    if (i < n && j < m && strcmp(a->text + a->start[i], b->text + b->start[j]) == 0) {
      i++;
      j++;
    } else if (j == m || (i < n && lcs[(i + 1) * w + j] >= lcs[i * w + j + 1])) {
      ok = hunk_add(&hunks, '-', i++);
    } else {
      ok = hunk_add(&hunks, '+', j++);
    }
  }
  free(lcs);
  if (!ok) {
    acre_drop(hunks);
    return -1;
  }
  *result = hunks;
  return 0;
}

// leak: the hunks are counted and lost
size_t diff_count(const struct lines *borrowed a, const struct lines *borrowed b) {
  struct hunk *unique hunks = NULL;
  size_t n = 0;
  if (diff(a, b, &hunks) != 0)
    return 0;
  for (const struct hunk *h = hunks; h; h = h->next)
    n += h->count;
  return n;
}

// wrong: compares with a hunk of a list that was dropped
size_t diff_longest(const struct lines *borrowed a, const struct lines *borrowed b) {
  struct hunk *unique hunks = NULL;
  if (diff(a, b, &hunks) != 0)
    return 0;
  const struct hunk *best = NULL;
  for (const struct hunk *h = hunks; h; h = h->next)
    if (!best || h->count > best->count)
      best = h;
  acre_drop(hunks);
  return best ? best->count : 0;
}
