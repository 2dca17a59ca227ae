// What hangs on another member than the one that is taken was taken to end, where the object is
// reached through a unique pointer.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next, *unique child;
  char *unique name, *unique text;
};
struct list {
  struct node *unique first;
  struct node *unique at[8];
};

void use(const char *borrowed text);
void use_node(struct node *borrowed node);

void next_of_a_walk(struct list *borrowed l) {
  for (struct node *n = l->first, *next; n; n = next) {
    next = n->next;
    free(acre_take(&n->name));
    if (next)
      use_node(next);
  }
}
void other_member(struct list *borrowed l) {
  const char *name = l->first->name;
  free(acre_take(&l->first->text));
  use(name);
}
void other_member_of_an_element(struct list *borrowed l, int i) {
  const char *name = l->at[i]->name;
  acre_drop(acre_take(&l->at[i]->child));
  use(name);
}
void above(struct list *borrowed l) {
  struct node *next = l->first->next;
  acre_drop(acre_take(&l->first->next->child));
  use_node(next);
}

void same_member(struct list *borrowed l) {
  const char *name = l->first->name;
  free(acre_take(&l->first->name));
  use(name); // expected-error {{'name' is used after 'l'}}
}
void below(struct list *borrowed l) {
  const char *name = l->first->next->name;
  acre_drop(acre_take(&l->first->next));
  use(name); // expected-error {{'name' is used after 'l'}}
}
void another_element(struct list *borrowed l, int i, int j) {
  const char *name = l->at[i]->name;
  free(acre_take(&l->at[j]->name));
  use(name); // expected-error {{'name' is used after 'l'}}
}
void moved_on(struct list *borrowed l) {
  struct node *n = l->first;
  const char *name = n->name;
  n = l->first;
  free(acre_take(&n->name));
  use(name); // expected-error {{'name' is used after 'l'}}
}
