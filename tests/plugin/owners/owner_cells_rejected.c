// What is wrong with pointers to owners, and with what a global variable lends.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include \
// RUN:   -ferror-limit=0 -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
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
void other(void);
static struct node *unique all;
static struct node *unique *kept;

void after_the_list(struct node *unique list, struct node *unique n) {
  struct node *unique *at = &list;
  while (*at)
    at = &(*at)->next;
  acre_drop(list);
  *at = n; // expected-error {{'at' is used after}}
}
void used_after_change(struct node *unique list) {
  struct node *unique *at = &list;
  struct node *first = list;
  acre_drop(acre_take(at));
  first->value = 1; // expected-error {{'first' is used after}}
  acre_drop(list);
}
void used_after_call(struct node *unique list) {
  struct node *unique *at = &list;
  struct node *first = list;
  visit(at);
  first->value = 1; // expected-error {{'first' is used after}}
  acre_drop(list);
}
void used_after_swap(struct node *unique list) {
  struct node *unique *at = &list;
  struct node *first = *at;
  acre_drop(acre_swap(at, make_node()));
  first->value = 1; // expected-error {{'first' is used after}}
  acre_drop(list);
}
void not_set(void) {
  struct node *unique list;
  struct node *unique *at = &list; // expected-error {{'list' is used before it is initialized}}
  acre_drop(acre_take(at));
}
void after_consumed(struct node *unique list) {
  acre_drop(list);
  struct node *unique *at = &list; // expected-error {{'list' is used after it was consumed}}
  acre_drop(acre_take(at));
}
struct node *unique *returned(struct node *unique list) {
  struct node *unique *at = &list;
  return at; // expected-error {{returned could be used after its owner is gone}}
} // expected-warning@-1 {{'list' may be lost}}
void stored(struct node *unique list) {
  struct node *unique *at = &list;
  kept = at; // expected-error {{stored in memory could be used after its owner is gone}}
  acre_drop(list);
}
void stored_at_once(struct node *unique list) {
  kept = &list; // expected-error {{the address of the unique pointer 'list'}}
  acre_drop(list);
}
void in_inner_block(struct node *unique n) {
  struct node *unique *at = NULL;
  {
    struct node *unique list = NULL;
    at = &list;
  }
  *at = n; // expected-error {{'at' is used after}}
}
void into_itself(struct node *unique list) {
  struct node *unique *at = &list;
  *at = list;
  // expected-error@-1 {{'list' is put into what it owns itself}}
  // expected-warning@-2 0+ {{}}
} // expected-warning {{'list' may be lost}}
void copied(struct node *unique list) {
  struct node *unique *at = &list;
  struct node *unique second = *at; // expected-error {{}}
  acre_drop(second);
  acre_drop(list);
}
void both(struct node *unique list, struct node *unique n) {
  struct node *unique *one = &list, *unique *two = &list;
  acre_drop(acre_take(one));
  *two = n;
  // expected-error@-1 {{'two' is used after}}
  // expected-warning@-2 {{'*two' may be overwritten}}
  acre_drop(list);
}
void lost_below(struct node *unique list, struct node *unique n) {
  struct node *unique *at = &list;
  if (*at)
    at = &(*at)->next;
  acre_drop(acre_swap(&list, NULL));
  *at = n;
  // expected-error@-1 {{'at' is used after}}
  // expected-warning@-2 {{'*at' may be overwritten}}
}
void choice(struct node *unique a, struct node *unique b, int which) {
  struct node *unique *at = which ? &a : &b;
  struct node *first = a;
  acre_drop(acre_take(at));
  first->value = 1; // expected-error {{'first' is used after}}
  acre_drop(a);
  acre_drop(b);
}
// Lost, and said so.
void not_null(struct node *unique list, struct node *unique n) {
  struct node *unique *at = &list;
  *at = n; // expected-warning {{'*at' may be overwritten}}
  acre_drop(list);
}
void not_the_end(struct node *unique list, struct node *unique n) {
  struct node *unique *at = &list;
  if (*at)
    at = &(*at)->next;
  *at = n; // expected-warning {{'*at' may be overwritten}}
  acre_drop(list);
}
void built_and_left(void) {
  struct node *unique head = NULL, *unique *tail = &head;
  *tail = make_node();
} // expected-warning {{'head' may be lost}}
void null_by_name(struct node *unique n) {
  struct node *unique head = NULL, *unique *tail = &head;
  head = make_node();
  *tail = n; // expected-warning {{'*tail' may be overwritten}}
  acre_drop(head);
}
// What a global variable lends.
struct node *borrowed first(void) { return all; }
struct node *plain(void) { return all; }
// expected-error@-1 {{returned could be used after its owner is gone}}
struct node *borrowed near(struct node *borrowed n) {
  return all; // expected-error {{returned could be used after its owner is gone}}
}
void after_a_call(void) {
  struct node *n = first();
  other();
  n->value = 1; // expected-error {{'n' is used after}}
}
void after_a_change(void) {
  struct node *n = first();
  acre_drop(acre_take(&all));
  n->value = 1; // expected-error {{'n' is used after}}
}
void freed(void) {
  free(first()); // expected-error {{}}
}
