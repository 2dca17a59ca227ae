// *tail = n; tail = &n->next; and last->next = n; last = n; were rejected, for n is consumed where
// it is given to the slot.  Nothing runs in between, so n is another name of what is there.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *unique next;
};
void note(int number);

struct node *unique by_tail(int count) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (count--) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    *tail = n;
    tail = &n->next;
  }
  return head;
}
struct node *unique by_last(int count) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  int length = 0;
  while (count--) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    if (last)
      last->next = n;
    else
      head = n;
    length++;
    last = n;
  }
  return head;
}
struct node *unique by_head(int count) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  for (int i = 0; i < count; i++) {
    struct node *unique n = malloc(sizeof *n);
    if (!n)
      abort();
    n->value = i;
    n->next = NULL;
    if (!head) {
      head = n;
    } else {
      last->next = n;
    }
    last = n;
  }
  return head;
}
void used_later(struct node *unique *head, struct node *unique n) {
  n->next = acre_take(head);
  *head = n; // expected-note {{consumed here}}
  note(1);
  struct node *first = n; // expected-error {{'n' is used after it was consumed}}
  note(first->value);
}
void used_otherwise(struct node *unique *head, struct node *unique n) {
  acre_drop(acre_swap(head, NULL));
  *head = n; // expected-note {{consumed here}}
  note(n->value); // expected-error {{'n' is used after it was consumed}}
}
void no_end_of_a_list(struct node *unique n) {
  struct node *unique head = NULL;
  struct node *first = NULL;
  head = n;  // expected-note {{consumed here}}
  first = n; // expected-error {{'n' is used after it was consumed}}
  acre_drop(head);
  note(first ? 1 : 0);
}
void on_one_way_only(struct node *unique *head, struct node *unique n, int which) {
  struct node *first = NULL;
  if (which)
    acre_drop(acre_swap(head, n)); // expected-note {{consumed here}}
  else
    acre_drop(n); // expected-note {{consumed here}}
  first = n; // expected-error {{'n' is used after it was consumed}}
  note(first->value);
}
struct node *unique loses(int count) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  while (count--) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    if (last && count > 3)
      last->next = n;
    else
      head = n; // expected-warning {{'head' may be overwritten}}
    last = n;
  }
  return head;
}
