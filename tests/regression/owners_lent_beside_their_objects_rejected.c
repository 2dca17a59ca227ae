// The address of a local owner was lent beside a pointer to its object, which the callee may free
// by the one and use by the other.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique key;
};

int append(char *unique *borrowed to, const char *borrowed text);
void delete_all(struct node *unique *borrowed list, const char *borrowed key);
int compare(char *unique const *borrowed one, const char *borrowed other);
int print_to(char *unique *borrowed to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int append_seen(char *unique *to, const char *text) {
  free(acre_take(to));
  *to = strdup(text);
  return *to ? 0 : -1;
}
static size_t length_seen(char *unique *of, const char *text) {
  return *of ? strlen(*of) + strlen(text) : 0;
}
static int both(char *unique *one, char *unique *other) {
  free(acre_take(other));
  return **one;
}

void itself(char *unique s) {
  append(&s, s); // expected-error {{'s' is lent by another argument}}
  free(s);
}
void inside(char *unique s) {
  append(&s, s + 1); // expected-error {{'s' is lent by another argument}}
  free(s);
}
void seen(char *unique s) {
  append_seen(&s, s); // expected-error {{'s' is lent by another argument}}
  free(s);
}
void twice(char *unique s) {
  both(&s, &s); // expected-error {{'s' is lent by another argument}}
  free(s);
}
void below(struct node *unique list) {
  if (list)
    delete_all(&list, list->key); // expected-error {{'list' is lent by another argument}}
  acre_drop(list);
}
void by_a_borrower(struct node *unique list) {
  for (struct node *each = list; each; each = each->next)
    if (each->key) {
      delete_all(&list, each->key); // expected-error {{'list' is lent by another argument}}
      break;
    }
  acre_drop(list);
}

void only_read(char *unique s) {
  compare(&s, s);
  length_seen(&s, s);
  free(s);
}
void printed(char *unique s) {
  print_to(&s, "%s!", s);
  free(s);
}
void of_another(char *unique s, char *unique t) {
  append(&s, t);
  free(s);
  free(t);
}
void a_copy(struct node *unique list) {
  char *unique key = list && list->key ? strdup(list->key) : NULL;
  if (key)
    delete_all(&list, key);
  free(key);
  acre_drop(list);
}
