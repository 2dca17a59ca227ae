// A static function that frees an object but for the slot that its callers have emptied was warned
// of, and a caller that has not emptied it was not.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  char *unique name;
};
char *unique make(void);

static void free_node(struct node *unique n) {
  free(acre_take(&n->name));
  free(n);
}
void free_all(struct node *unique n) {
  while (n) {
    struct node *unique next = acre_take(&n->next);
    free_node(n);
    n = next;
  }
}
void free_first(struct node *unique n) {
  if (n)
    free_node(n); // expected-warning {{'n' is freed with what 'n->next' may own}}
}
void free_second(struct node *borrowed n) {
  free_node(acre_take(&n->next)); // expected-warning {{'n' is freed with what 'n->next' may own}}
}

static void forgets(struct node *unique n) {
  free(acre_take(&n->name));
  free(n); // expected-warning {{'n' is freed with what 'n->next' may own}}
}
void forget(struct node *unique n) { forgets(n); }

static void loses_its_own(struct node *unique n) {
  free(acre_take(&n->name));
  n->name = make();
  free(n); // expected-warning {{'n' is freed with what 'n->name' may own}}
}
void lose(struct node *unique n) {
  free_all(acre_take(&n->next));
  loses_its_own(n);
}

void free_external(struct node *unique n) {
  free(acre_take(&n->name));
  free(n); // expected-warning {{'n' is freed with what 'n->next' may own}}
}
