// What was borrowed from a global variable ended when what another one owns was taken.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  int value;
  char *unique name;
};
struct pair {
  char *unique first, *unique second;
};
extern struct item *unique front;
extern char *unique title;
extern struct pair spare, rows[2];
char *unique make(void);

int of_another(void) {
  const struct item *d = front;
  free(acre_take(&title));
  free(acre_take(&spare.second));
  return d->value;
}
int below_another(void) {
  const char *name = front ? front->name : NULL;
  spare.second = acre_swap(&title, acre_take(&spare.second));
  return name ? name[0] : 0;
}
int of_a_sibling(void) {
  const char *first = spare.first;
  free(acre_take(&spare.second));
  return first[0];
}
int of_itself(void) {
  const struct item *d = front;
  acre_drop(acre_take(&front));
  return d->value; // expected-error {{is used after}}
}
int of_an_element(int i) {
  const char *first = rows[0].first;
  free(acre_take(&rows[i].first));
  return first[0]; // expected-error {{is used after}}
}
int by_a_pointer(void) {
  char *unique *where = &title;
  const char *text = title;
  free(acre_take(where));
  return text[0]; // expected-error {{is used after}}
}
int of_who_is_called(void) {
  const char *text = title;
  spare.first = make(); // expected-warning {{may be overwritten}}
  return text[0]; // expected-error {{is used after}}
}
int of_one_path(int which) {
  const char *text = which ? title : spare.first;
  free(acre_take(&spare.first));
  return text[0]; // expected-error {{is used after}}
}
