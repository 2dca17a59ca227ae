// What a slot holds, and whether a loan has ended, was forgotten where paths meet, although a
// variable tells which of them it was.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>

struct parts {
  char *unique head, *unique body;
  struct parts *unique next;
};
char *unique make(void);
int is_ready(void);
void take(char *unique text);

void by_flags(void) {
  struct parts p;
  bool has_head = false, has_body = false;
  if (is_ready()) {
    p.head = make();
    has_head = true;
  }
  if (is_ready()) {
    p.body = make();
    has_body = true;
  }
  if (has_head)
    free(acre_take(&p.head));
  if (has_body)
    free(acre_take(&p.body));
}
void by_the_other_flag(void) {
  struct parts p;
  bool has_head = false;
  if (is_ready()) {
    p.head = make();
    has_head = true;
  }
  if (is_ready())
    p.body = make();
  if (has_head)
    free(acre_take(&p.body)); // expected-error {{'p.body' is used before it is surely set}}
} // expected-warning {{may be lost}}
void after_the_flag_changed(void) {
  struct parts p = {0};
  bool has_head = false;
  if (is_ready()) {
    p.head = make();
    has_head = true;
  }
  has_head = is_ready();
  if (has_head)
    free(acre_take(&p.head));
} // expected-warning {{'p.head' may be lost}}
void set_again(void) {
  struct parts p = {0};
  bool has_head = false;
  if (is_ready()) {
    p.head = make();
    has_head = true;
  }
  if (!has_head)
    p.head = make();
  if (has_head)
    free(acre_take(&p.head));
} // expected-warning {{'p.head' may be lost}}

// In a loop: an owner that went into the slot is not there to go again.
void by_an_owner(struct parts *unique n) {
  char *unique row[2] = {0};
  char *unique t = make();
  while (is_ready())
    if (t) {
      row[0] = acre_take(&n->head);
      take(t);
      t = NULL;
    }
  acre_drop(n);
  free(acre_take(&row[0]));
  free(t);
}
int loans_by_an_owner(struct parts *unique n) {
  const struct parts *d = NULL;
  int sum = 0;
  while (is_ready()) {
    if (n)
      n->next = NULL;
    sum += is_ready();
    if (n)
      d = n->next;
    if (d)
      sum++;
  }
  acre_drop(n);
  return sum;
}
void look(struct parts *borrowed p);
int loans_below_what_is_null(struct parts *unique n) {
  const struct parts *d = NULL;
  while (is_ready()) {
    if (n)
      look(n); // may take n->next
    if (n)
      d = n->next;
  }
  const int sum = d != NULL;
  acre_drop(n);
  return sum;
}
int loans_below_what_is_there(struct parts *unique n) {
  const struct parts *d = n ? n->next : NULL;
  if (n)
    look(n);
  const int sum = d != NULL; // expected-error {{'d' is used after 'n'}}
  acre_drop(n);
  return sum;
}
int loans_that_ended(struct parts *unique n, bool is_wanted) {
  const struct parts *d = NULL;
  int sum = 0;
  while (is_ready()) {
    if (n)
      acre_drop(acre_take(&n->next));
    if (is_wanted)
      d = n ? n->next : NULL;
    if (d) // expected-error {{'d' is used after 'n'}}
      sum++;
  }
  acre_drop(n);
  return sum;
}
// An owner that was given away tells nothing any more.
void by_an_owner_that_went(void) {
  struct parts p = {0};
  char *unique t = is_ready() ? make() : NULL;
  if (t)
    p.head = make();
  take(t);
  t = is_ready() ? make() : NULL;
  if (t)
    free(acre_take(&p.head));
  free(t);
} // expected-warning {{'p.head' may be lost}}
