// A local pointer to an owner, or to the slot where a list ends, is followed as a loan that is
// reached through the owner.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Werror %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct node *unique make_node(void);
void visit(struct node *unique *borrowed list);

struct node *unique at_the_end(int count) {
  struct node *unique head = NULL, *unique *tail = &head;
  for (int i = 0; i < count; i++) {
    *tail = calloc(1, sizeof **tail);
    if (!*tail)
      break;
    (*tail)->value = i;
    tail = &(*tail)->next;
  }
  return head;
}
struct node *unique made_elsewhere(int count) {
  struct node *unique head = NULL;
  struct node *unique *tail = &head;
  while (count--) {
    struct node *unique n = make_node();
    if (!n)
      continue;
    n->name = strdup("");
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
}
struct node *unique append(struct node *unique list, struct node *unique n) {
  struct node *unique *at = &list;
  while (*at)
    at = &(*at)->next;
  *at = n;
  return list;
}
void append_to(struct node *unique *list, struct node *unique n) {
  while (*list)
    list = &(*list)->next;
  *list = n;
}
struct node *unique without(struct node *unique list, int value) {
  struct node *unique *at = &list;
  while (*at) {
    if ((*at)->value == value) {
      struct node *unique old = acre_take(at);
      *at = acre_take(&old->next);
      acre_drop(old);
    } else {
      at = &(*at)->next;
    }
  }
  return list;
}
struct node *unique insert_sorted(struct node *unique list, struct node *unique n) {
  struct node *unique *at = &list;
  while (*at && (*at)->value < n->value)
    at = &(*at)->next;
  acre_drop(acre_swap(&n->next, acre_take(at)));
  *at = n;
  return list;
}
struct node *unique merged(struct node *unique a, struct node *unique b) {
  struct node *unique r = NULL;
  struct node *unique *t = &r;
  while (a && b) {
    struct node *unique n = NULL;
    if (a->value <= b->value) {
      n = acre_take(&a->next);
      *t = a;
      a = n;
    } else {
      n = acre_take(&b->next);
      *t = b;
      b = n;
    }
    t = &(*t)->next;
  }
  if (a) {
    *t = a;
    acre_drop(b);
  } else {
    *t = b;
  }
  return r;
}
int is_first(struct node *unique list) {
  struct node *unique *at = &list;
  while (*at && (*at)->value)
    at = &(*at)->next;
  int result = at == &list;
  acre_drop(list);
  return result;
}
struct node *unique passed(struct node *unique list) {
  struct node *unique *at = &list;
  visit(at);
  while (*at)
    at = &(*at)->next;
  *at = make_node();
  return list;
}
// What a global variable owns is lent by a function that nothing else could lend it to.
static struct node *unique all;
struct node *borrowed first(void) { return all; }
struct node *borrowed find(const char *name) {
  for (struct node *n = all; n; n = n->next)
    if (!strcmp(n->name, name))
      return n;
  return NULL;
}
int value_of(const char *name) {
  struct node *n = find(name);
  return n ? n->value : 0;
}
