// A function that is seen to leave something in the place of a result only where it returns a
// positive number was taken to fail there, and to have left something where it returns 0.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct record {
  char *unique body;
  int kind;
};
struct source {
  const char *text;
  size_t left;
};

int next(struct source *borrowed s, struct record *acre_out r) {
  if (s->left == 0)
    return 0;
  r->body = strndup(s->text, s->left);
  if (!r->body)
    return -1;
  r->kind = *s->text;
  s->left = 0;
  return 1;
}
int all(struct source *borrowed s) {
  struct record r = {0};
  int got;
  while ((got = next(s, &r)) > 0)
    free(acre_take(&r.body));
  return got;
}
int first_lost(struct source *borrowed s) {
  struct record r = {0};
  if (next(s, &r) > 0)
    return r.kind; // expected-warning {{'r.body' may be lost}}
  return 0;
}
int usual(struct source *borrowed s, struct record *acre_out r) {
  r->body = strndup(s->text, s->left);
  return r->body ? 0 : -1;
}
int usual_lost(struct source *borrowed s) {
  struct record r = {0};
  if (usual(s, &r) == 0)
    return r.kind; // expected-warning {{'r.body' may be lost}}
  return 0;
}
