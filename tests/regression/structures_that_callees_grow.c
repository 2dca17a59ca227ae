// A function that takes what a slot holds and puts that, or more, back was taken to leave it empty,
// and a new object that a function returns to hold something in each slot.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *unique bytes;
  size_t size;
};
static int grow(struct text *borrowed t) {
  char *unique old = acre_take(&t->bytes);
  char *unique more = realloc(old, t->size + 1);
  if (!more) {
    t->bytes = old;
    return -1;
  }
  t->bytes = more;
  return 0;
}
static int append(struct text *borrowed t, char c) {
  if (grow(t))
    return -1;
  t->bytes[t->size++] = c;
  return 0;
}
static void clear(struct text *borrowed t) { free(acre_take(&t->bytes)); }
char *unique both(void) {
  struct text t = {0};
  if (append(&t, 'a') || append(&t, 'b')) {
    clear(&t);
    return NULL;
  }
  return acre_take(&t.bytes);
}
char *unique both_lost(void) {
  struct text t = {0};
  if (append(&t, 'a'))
    return NULL;
  if (append(&t, 'b'))
    return NULL; // expected-warning {{'t.bytes' may be lost}}
  return acre_take(&t.bytes);
}

struct node {
  int kind;
  struct node *unique next;
  char *unique name;
  union {
    struct node *unique below;
    double number;
  };
};
struct node *unique parse(void);
static struct node *unique node_new(int kind) {
  struct node *unique n = calloc(1, sizeof *n);
  if (n)
    n->kind = kind;
  return n;
}
static struct node *unique node_named(const char *name) {
  struct node *unique n = node_new(1);
  if (n)
    n->name = strdup(name);
  return n;
}
struct node *unique of_new(int is_wanted) {
  struct node *unique n = node_new(0);
  if (n && !is_wanted) {
    free(n);
    return NULL;
  }
  return n;
}
struct node *unique of_named(int is_wanted) {
  struct node *unique n = node_named("it");
  if (n && !is_wanted) {
    free(n); // expected-warning {{'n' is freed with what 'n->name' may own}}
    return NULL;
  }
  return n;
}
struct node *unique list(void) {
  struct node *unique n = node_new(2);
  if (!n)
    return NULL;
  struct node *unique *tail = &n->below;
  for (int i = 0; i < 3; i++) {
    struct node *unique item = parse();
    if (!item)
      break;
    *tail = item;
    tail = &(*tail)->next;
  }
  return n;
}

// A list of values tells which slots are empty, as zeros do.
int begin(struct node *acre_out n) {
  *n = (struct node){.kind = 1};
  n->name = strdup("it");
  return n->name ? 0 : -1;
}
// What a loop has set before is lost in the next round.
struct tree {
  struct node root;
};
void set_up(struct node *acre_out borrowed n);
void set_up_again(struct tree *borrowed t, int count) {
  while (count--)
    set_up(&t->root); // expected-warning {{'t->root' may be overwritten}}
}
void set_up_once(struct tree *borrowed t) { set_up(&t->root); }
