// Right functions of everyday shape were warned of: merged lists, heaps, rows of a new matrix,
// nodes that are unlinked, arrays in out parameters, tagged unions, machines with four states.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  char *unique key;
  struct node *unique next;
};
struct tree {
  char *unique key;
  struct tree *unique left, *unique right;
};
struct heap {
  char *unique *unique items;
  size_t count;
};
struct matrix {
  double *unique *unique row;
};
struct map {
  struct {
    char *unique key;
  } slots[8];
  size_t count;
};
struct tagged {
  int kind, size;
  union {
    char *unique text;
    long number;
  } as;
};
char *unique make(void);
int next_kind(void);

struct node *unique merge(struct node *unique a, struct node *unique b) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (a && b) {
    struct node *unique first = NULL;
    if (a->value <= b->value) {
      first = acre_take(&a);
      a = acre_take(&first->next);
    } else {
      first = acre_take(&b);
      b = acre_take(&first->next);
    }
    *tail = first;
    tail = &(*tail)->next;
  }
  *tail = a ? a : b;
  return head;
}
struct node *unique either(struct node *unique a, struct node *unique b) {
  return a ? a : b; // expected-warning {{'b' may be lost}}
}
void appended(const char *text) {
  struct node *unique list = calloc(1, sizeof *list);
  if (!list)
    return;
  struct node *unique *tail = &list->next;
  while (*text++) {
    *tail = calloc(1, sizeof **tail);
    if (!*tail)
      break;
    tail = &(*tail)->next;
  }
  acre_drop(list);
}
int remove_least(struct tree *unique *borrowed root, char *unique *acre_out key) {
  struct tree *unique *at = root;
  if (!*at)
    return -1;
  while ((*at)->left)
    at = &(*at)->left;
  struct tree *unique gone = acre_take(at);
  *at = acre_take(&gone->right);
  *key = acre_take(&gone->key);
  free(gone);
  return 0;
}
void remove_with_all(struct tree *unique *borrowed root) {
  struct tree *unique gone = acre_take(root);
  if (gone)
    *root = acre_take(&gone->right);
  free(gone); // expected-warning {{'gone->key' may own}}
}

void heap_push(struct heap *borrowed h, char *unique text) {
  size_t i = h->count++;
  while (i > 0 && strcmp(h->items[(i - 1) / 2], text) > 0) {
    h->items[i] = acre_take(&h->items[(i - 1) / 2]);
    i = (i - 1) / 2;
  }
  h->items[i] = text;
}
void heap_push_over(struct heap *borrowed h, char *unique text) {
  size_t i = h->count - 1;
  h->items[i] = text; // expected-warning {{'h->items[i]' may be overwritten}}
}
void shell_sort(char *unique *borrowed list, int n) {
  for (int gap = n / 2; gap > 0; gap /= 2)
    for (int i = gap; i < n; i++) {
      char *unique t = acre_take(&list[i]);
      int j = i;
      for (; j >= gap && strcmp(list[j - gap], t) > 0; j -= gap)
        list[j] = acre_take(&list[j - gap]);
      list[j] = t;
    }
}
struct matrix *unique matrix_new(size_t rows) {
  struct matrix *unique m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->row = calloc(rows, sizeof *m->row);
  for (size_t i = 0; m->row && i < rows; i++)
    m->row[i] = calloc(rows, sizeof **m->row);
  return m;
}
void matrix_set(struct matrix *borrowed m, size_t i) {
  m->row[i] = calloc(i, sizeof **m->row); // expected-warning {{'m->row[i]' may be overwritten}}
}
void map_init(struct map *acre_out m) {
  for (size_t i = 0; i < 8; i++)
    m->slots[i].key = NULL;
  m->count = 0;
}
void map_reset(struct map *borrowed m) {
  for (size_t i = 0; i < m->count; i++)
    m->slots[i].key = NULL; // expected-warning {{'m->slots[i].key' may be overwritten}}
}

void tagged_set(struct tagged *borrowed t) {
  if (t->kind == 1)
    free(acre_take(&t->as.text));
  t->kind = 1;
  t->as.text = make();
}
void tagged_set_over(struct tagged *borrowed t) {
  t->kind = 1;
  t->as.text = make(); // expected-warning {{'t->as.text' may be overwritten}}
}

void machine(void) {
  enum { START, NAME, VALUE, DONE } state = START;
  char *unique name = NULL, *unique value = NULL;
  while (next_kind() >= 0)
    switch (state) {
    case START:
      name = make();
      state = NAME;
      break;
    case NAME:
      value = make();
      state = VALUE;
      break;
    case VALUE:
      state = DONE;
      break;
    case DONE:
      break;
    }
  free(name);
  free(value);
}
void machine_again(void) {
  int state = 0;
  char *unique value = NULL;
  while (next_kind() >= 0)
    switch (state) {
    case 0:
      state = 1;
      break;
    case 1:
      value = make(); // expected-warning {{'value' may be overwritten}}
      state = 2;
      break;
    default:
      state = 0;
    }
  free(value);
}
void given_where_there_is_a_node(struct node *unique n, char *unique text) {
  if (!text)
    if (n)
      free(acre_swap(&n->key, text));
  if (!n)
    free(text);
  acre_drop(n);
} // expected-warning {{'text' may be lost}}
