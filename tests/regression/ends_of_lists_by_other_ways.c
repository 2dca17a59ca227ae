// The end of a list was known where it is set to the owner that went there last, and not where it
// is set to the slot's value, nor before the owner goes: appending so was an error or drew
// warnings.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *unique next;
};
void note(int number);

struct node *unique by_the_slot(int count) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  for (int i = 0; i < count; i++) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    if (last) {
      last->next = n;
      last = last->next;
    } else {
      head = n;
      last = head;
    }
  }
  return head;
}
struct node *unique place_first(int count) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (count--) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    struct node *unique *at = tail;
    tail = &n->next;
    *at = n;
  }
  return head;
}
struct node *unique node_first(int count) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  while (count--) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    struct node *before = last;
    last = n;
    if (before)
      before->next = n;
    else
      head = n;
  }
  return head;
}

// Not where the list has gone since, and not into the owner's own object.
void dropped(struct node *unique n) {
  struct node *unique head = NULL, *unique *tail = &head;
  struct node *unique *at = tail;
  tail = &n->next;
  *at = n;
  acre_drop(head); // expected-note {{lost here}}
  // expected-error@+1 {{'tail' is used after 'head', which it was borrowed from, was consumed}}
  note(*tail != NULL);
}
void swapped_out(struct node *unique n, struct node *unique other) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  struct node *before = last;
  last = n;
  if (before)
    before->next = n;
  else
    head = n;
  acre_drop(acre_swap(&head, other)); // expected-note {{lost here}}
  // expected-error@+1 {{'last' is used after 'head', which it was borrowed from, was consumed}}
  note(last->value);
  acre_drop(head);
}
void into_itself(struct node *unique n) {
  struct node *unique head = NULL, *unique *tail = &head;
  tail = &n->next;
  // expected-error@+2 {{'n' is put into what it owns itself}}
  // expected-note@+1 {{this is what is put there}}
  *tail = n;
  acre_drop(head);
}
struct node *unique loses(int count) {
  struct node *unique head = NULL;
  struct node *last = NULL;
  for (int i = 0; i < count; i++) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    if (last && i > 3) {
      last->next = n;
      last = last->next;
    } else {
      head = n; // expected-warning {{'head' may be overwritten}}
      last = head;
    }
  }
  return head;
}
