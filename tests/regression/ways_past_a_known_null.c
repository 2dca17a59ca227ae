// A test of an owner that is surely null, or surely not, left both ways open: what the way that is
// never taken consumes was reported behind it.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  char *unique name;
  struct node *unique next;
};
char *unique make(void);
struct node *unique make_node(void);
void drop(struct node *unique n);

void never_taken(char *unique name) {
  struct node *unique n = NULL;
  if (n)
    n->name = name;
  free(name);
}
void left_by_a_test(char *unique name) {
  struct node *unique n = make_node();
  if (!n) {
    if (n)
      n->name = name;
    free(name);
    return;
  }
  n->name = name;
  drop(n);
}

void taken_now_and_then(char *unique name) {
  struct node *unique n = make_node();
  if (n)
    n->name = name;
  drop(n);
  free(name); // expected-error {{'name' is used after it was consumed on some path}}
}
void given_back(char *unique name, void (*refill)(struct node *unique *borrowed)) {
  struct node *unique n = NULL;
  refill(&n);
  if (n)
    n->name = name;
  drop(n);
  free(name); // expected-error {{'name' is used after it was consumed on some path}}
}
void filled_by_its_address(int count) {
  struct node *unique head = NULL, *unique *tail = &head;
  for (int i = 0; i < count; i++) {
    struct node *unique n = make_node();
    if (!n)
      break;
    *tail = n;
    tail = &(*tail)->next;
  }
  if (head)
    drop(head);
  drop(head); // expected-error {{'head' is used after it was consumed on some path}}
}
