/* SPDX-License-Identifier: MIT */
/* Vectors, lists, trees and sets of owners, as libraries have them: right, wrong and leaking. */
#include "corpus.h"

// right
struct item {
  struct item *unique next;
  char *unique key;
  void *unique value;
};
struct vector {
  char *unique *unique at;
  size_t count, room;
};
struct tree {
  struct tree *unique left, *unique right;
  char *unique key;
  int height;
};
struct queue {
  struct item *unique front, *unique back;
  size_t count;
};
struct bag {
  struct pair {
    char *unique key, *unique value;
  } *unique pairs;
  size_t count, room;
};
struct box {
  char *unique label;
  struct box *unique inside;
  struct item *unique items;
};
void item_free(struct item *unique i);
void tree_free(struct tree *unique t);
int height_of(const struct tree *borrowed t);
bool wanted(const char *borrowed key);

// right
bool vector_insert(struct vector *borrowed v, size_t at, char *unique text) {
  if (v->count == v->room) {
    size_t room = v->room ? 2 * v->room : 4;
    char *unique *unique more = realloc(v->at, room * sizeof *more);
    if (!more) {
      free(text);
      return false;
    }
    v->at = more;
    memset(v->at + v->room, 0, (room - v->room) * sizeof *v->at);
    v->room = room;
  }
  for (size_t i = v->count; i > at; i--) v->at[i] = acre_take(&v->at[i - 1]);
  v->at[at] = text;
  v->count++;
  return true;
}

// right
void vector_erase(struct vector *borrowed v, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) free(acre_take(&v->at[i]));
  size_t gap = to - from;
  for (size_t i = to; i < v->count; i++) v->at[i - gap] = acre_take(&v->at[i]);
  v->count -= gap;
}

// right
char *unique vector_swap_remove(struct vector *borrowed v, size_t at) {
  if (at >= v->count) return NULL;
  char *unique gone = acre_take(&v->at[at]);
  v->count--;
  if (at != v->count) v->at[at] = acre_take(&v->at[v->count]);
  return gone;
}

// leak: the element, which is only asked for
bool vector_drop(struct vector *borrowed v, size_t at) {
  if (at >= v->count) return false;
  char *unique gone = acre_take(&v->at[at]);
  v->at[at] = acre_take(&v->at[--v->count]);
  return gone && *gone;
}

// right
void vector_reverse(struct vector *borrowed v) {
  if (v->count < 2) return;
  for (size_t i = 0, j = v->count - 1; i < j; i++, j--) {
    char *unique held = acre_take(&v->at[i]);
    v->at[i] = acre_take(&v->at[j]);
    v->at[j] = held;
  }
}

// right (known: what is swapped with itself)
size_t vector_partition(struct vector *borrowed v) {
  size_t split = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (!wanted(v->at[i])) continue;
    char *unique held = acre_swap(&v->at[split], acre_take(&v->at[i]));
    if (i != split) v->at[i] = held;
    else v->at[split] = held ? held : acre_take(&v->at[split]);
    split++;
  }
  return split;
}

// right
void vector_keep(struct vector *borrowed v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    char *unique each = acre_take(&v->at[i]);
    if (each && wanted(each))
      v->at[kept++] = each;
    else
      free(each);
  }
  v->count = kept;
}

// leak: the elements that are not wanted
void vector_keep_lost(struct vector *borrowed v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (!wanted(v->at[i])) continue;
    if (kept != i) v->at[kept] = acre_take(&v->at[i]);
    kept++;
  }
  v->count = kept;
}

// right
bool vector_append_all(struct vector *borrowed v, struct vector *borrowed from) {
  char *unique *unique more = realloc(v->at, (v->count + from->count) * sizeof *more);
  if (!more) return false;
  v->at = more;
  memset(v->at + v->count, 0, from->count * sizeof *v->at);
  for (size_t i = 0; i < from->count; i++) v->at[v->count++] = acre_take(&from->at[i]);
  from->count = 0;
  return true;
}

// right
void vector_free(struct vector *unique v) {
  if (!v) return;
  while (v->count) free(acre_take(&v->at[--v->count]));
  free(acre_take(&v->at));
  free(v);
}

// wrong: the array is freed before its elements
void vector_free_array(struct vector *unique v) {
  char *unique *unique all = acre_take(&v->at);
  size_t count = v->count;
  free(v);
  free(all);
  while (count) free(acre_take(&all[--count]));
}

// right
struct item *unique list_merge(struct item *unique a, struct item *unique b) {
  struct item *unique merged = NULL, *unique *end = &merged;
  while (a && b) {
    struct item *unique first = NULL;
    if (strcmp(a->key, b->key) <= 0) {
      first = a;
      a = acre_take(&first->next);
    } else {
      first = b;
      b = acre_take(&first->next);
    }
    *end = first;
    end = &(*end)->next;
  }
  *end = a ? a : b;
  return merged;
}

// right
struct item *unique list_halve(struct item *borrowed list) {
  struct item *slow = list, *fast = list->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  return acre_take(&slow->next);
}

// right
struct item *unique list_sort(struct item *unique list) {
  if (!list || !list->next) return list;
  struct item *unique half = list_halve(list);
  struct item *unique one = list_sort(list);
  struct item *unique other = list_sort(half);
  return list_merge(one, other);
}

// wrong: the list is used after it was sorted
size_t list_sort_count(struct item *unique list) {
  struct item *unique sorted = list_sort(list);
  size_t count = 0;
  for (const struct item *i = list; i; i = i->next) count++;
  acre_drop(sorted);
  return count;
}

// right
bool list_remove_last(struct item *unique *borrowed list) {
  struct item *unique *at = list;
  if (!*at) return false;
  while ((*at)->next) at = &(*at)->next;
  struct item *unique last = acre_take(at);
  free(acre_take(&last->key));
  free(acre_take(&last->value));
  free(last);
  return true;
}

// right
struct item *unique list_take_nth(struct item *unique *borrowed list, size_t n) {
  struct item *unique *at = list;
  while (*at && n-- > 0) at = &(*at)->next;
  struct item *unique found = acre_take(at);
  if (found) *at = acre_take(&found->next);
  return found;
}

// leak: the items behind the one that is freed
bool list_remove_nth(struct item *unique *borrowed list, size_t n) {
  struct item *unique *at = list;
  while (*at && n-- > 0) at = &(*at)->next;
  struct item *unique found = acre_take(at);
  if (!found) return false;
  free(acre_take(&found->key));
  free(acre_take(&found->value));
  free(found);
  return true;
}

// right
void list_insert_sorted(struct item *unique *borrowed list, struct item *unique fresh) {
  struct item *unique *at = list;
  while (*at && strcmp((*at)->key, fresh->key) < 0) at = &(*at)->next;
  fresh->next = acre_take(at);
  *at = fresh;
}

// right
struct item *unique queue_pop(struct queue *borrowed q) {
  if (!q->front) {
    while (q->back) {
      struct item *unique i = acre_take(&q->back);
      q->back = acre_take(&i->next);
      i->next = acre_take(&q->front);
      q->front = i;
    }
  }
  struct item *unique first = acre_take(&q->front);
  if (first) {
    q->front = acre_take(&first->next);
    q->count--;
  }
  return first;
}

// leak: the value of the item
char *unique queue_pop_key(struct queue *borrowed q) {
  struct item *unique first = acre_take(&q->front);
  if (!first) return NULL;
  q->front = acre_take(&first->next);
  char *unique key = acre_take(&first->key);
  free(first);
  return key;
}

// right
void queue_splice(struct queue *borrowed to, struct queue *borrowed from) {
  struct item *unique *end = &to->front;
  while (*end) end = &(*end)->next;
  *end = acre_take(&from->front);
  to->count += from->count;
  from->count = 0;
}

// right
struct tree *unique tree_rotate_left(struct tree *unique t) {
  struct tree *unique up = acre_take(&t->right);
  if (!up) return t;
  t->right = acre_take(&up->left);
  up->left = t;
  return up;
}

// leak: what is between the two
struct tree *unique tree_rotate_right(struct tree *unique t) {
  struct tree *unique up = acre_take(&t->left);
  if (!up) return t;
  up->right = t;
  return up;
}

// right
struct tree *unique tree_insert(struct tree *unique t, const char *key) {
  if (!t) {
    struct tree *unique leaf = calloc(1, sizeof *leaf);
    if (leaf && !(leaf->key = strdup(key))) {
      free(leaf);
      leaf = NULL;
    }
    return leaf;
  }
  int order = strcmp(key, t->key);
  if (order < 0) t->left = tree_insert(acre_take(&t->left), key);
  if (order > 0) t->right = tree_insert(acre_take(&t->right), key);
  int left = height_of(t->left), right = height_of(t->right);
  t->height = 1 + (left > right ? left : right);
  return t;
}

// right
bool tree_remove(struct tree *unique *borrowed root, const char *key) {
  struct tree *unique *at = root;
  while (*at) {
    int order = strcmp(key, (*at)->key);
    if (order == 0) break;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  struct tree *unique gone = acre_take(at);
  if (!gone) return false;
  if (!gone->left) {
    *at = acre_take(&gone->right);
  } else if (!gone->right) {
    *at = acre_take(&gone->left);
  } else {
    struct tree *unique *least = &gone->right;
    while ((*least)->left) least = &(*least)->left;
    struct tree *unique next = acre_take(least);
    *least = acre_take(&next->right);
    next->left = acre_take(&gone->left);
    next->right = acre_take(&gone->right);
    *at = next;
  }
  free(acre_take(&gone->key));
  free(gone);
  return true;
}

// leak: one of the two sides
bool tree_remove_leaf(struct tree *unique *borrowed root, const char *key) {
  struct tree *unique *at = root;
  while (*at && strcmp(key, (*at)->key) != 0)
    at = strcmp(key, (*at)->key) < 0 ? &(*at)->left : &(*at)->right;
  struct tree *unique gone = acre_take(at);
  if (!gone) return false;
  *at = acre_take(&gone->left);
  free(acre_take(&gone->key));
  free(gone);
  return true;
}

// right
bool bag_put(struct bag *borrowed b, const char *key, char *unique value) {
  for (size_t i = 0; i < b->count; i++) {
    struct pair *p = &b->pairs[i];
    if (strcmp(p->key, key) != 0) continue;
    free(acre_swap(&p->value, value));
    return true;
  }
  if (b->count == b->room) {
    size_t room = b->room ? b->room * 2 : 4;
    struct pair *unique more = realloc(b->pairs, room * sizeof *more);
    if (!more) {
      free(value);
      return false;
    }
    b->pairs = more;
    memset(&b->pairs[b->room], 0, (room - b->room) * sizeof *more);
    b->room = room;
  }
  struct pair *p = &b->pairs[b->count];
  p->key = strdup(key);
  if (!p->key) {
    free(value);
    return false;
  }
  p->value = value;
  b->count++;
  return true;
}

// right
void bag_remove(struct bag *borrowed b, const char *key) {
  for (size_t i = 0; i < b->count; i++) {
    struct pair *p = &b->pairs[i], *last = &b->pairs[b->count - 1];
    if (strcmp(p->key, key) != 0) continue;
    free(acre_take(&p->key));
    free(acre_take(&p->value));
    if (p != last) {
      p->key = acre_take(&last->key);
      p->value = acre_take(&last->value);
    }
    b->count--;
    return;
  }
}

// right
void bag_merge(struct bag *borrowed b, struct bag *borrowed from) {
  for (size_t i = 0; i < from->count; i++) {
    struct pair *p = &from->pairs[i];
    bag_put(b, p->key, acre_take(&p->value));
    free(acre_take(&p->key));
  }
  from->count = 0;
}

// wrong: the key is used after it was freed
bool bag_rename(struct bag *borrowed b, const char *to) {
  struct pair *p = &b->pairs[0];
  const char *before = p->key;
  free(acre_swap(&p->key, strdup(to)));
  return strcmp(before, to) != 0;
}

// right
void box_free(struct box *unique b) {
  while (b) {
    struct box *unique inside = acre_take(&b->inside);
    free(acre_take(&b->label));
    while (b->items) {
      struct item *unique i = acre_take(&b->items);
      b->items = acre_take(&i->next);
      item_free(i);
    }
    free(b);
    b = inside;
  }
}

// right
struct box *unique box_open(struct box *unique b) {
  struct box *unique inside = acre_take(&b->inside);
  if (inside) {
    struct item *unique *end = &inside->items;
    while (*end) end = &(*end)->next;
    *end = acre_take(&b->items);
  }
  acre_drop(b);
  return inside;
}

// leak: the items of the box, where there is another one inside
struct box *unique box_unwrap(struct box *unique b) {
  struct box *unique inside = acre_take(&b->inside);
  if (!inside) return b;
  free(acre_take(&b->label));
  free(b);
  return inside;
}

// right
void box_flatten(struct box *borrowed b) {
  struct item *unique *end = &b->items;
  while (b->inside) {
    struct box *unique inner = acre_take(&b->inside);
    b->inside = acre_take(&inner->inside);
    while (*end) end = &(*end)->next;
    *end = acre_take(&inner->items);
    free(acre_take(&inner->label));
    free(inner);
  }
}

// right
char *unique *unique keys_of(const struct item *borrowed list, size_t *borrowed count) {
  char *unique *unique all = NULL;
  size_t n = 0;
  for (const struct item *i = list; i; i = i->next) n++;
  if (n == 0 || !(all = calloc(n, sizeof *all))) return NULL;
  size_t made = 0;
  for (const struct item *i = list; i; i = i->next) {
    all[made] = strdup(i->key);
    if (!all[made]) goto fail;
    made++;
  }
  *count = made;
  return all;
fail:
  for (size_t i = 0; i < made; i++) free(acre_take(&all[i]));
  free(all);
  return NULL;
}
