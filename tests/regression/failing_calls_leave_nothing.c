// What a function had put into the place of a result was lost in silence where its own result says
// that it has failed, since callers take the place for empty then.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>

struct pair {
  char *unique one, *unique other;
};
bool fill(char *unique *acre_out text);
int number_of(const char *borrowed text);

bool both(struct pair *acre_out p) {
  if (!fill(&p->one))
    return false;
  if (!fill(&p->other)) {
    free(acre_take(&p->one));
    return false;
  }
  return true;
}
bool both_lost(struct pair *acre_out p) {
  if (!fill(&p->one))
    return false;
  if (!fill(&p->other))
    return false; // expected-warning {{'p->one' may be lost}}
  return true;
}
int one(char *unique *acre_out text, int limit) {
  char *unique made = malloc(8);
  if (!made)
    return -1;
  if (limit < 0) {
    free(made);
    return -1;
  }
  *text = made;
  return 0;
}
int one_lost(char *unique *acre_out text, int limit) {
  *text = malloc(8);
  if (!*text)
    return -1;
  if (limit < 0)
    return -1; // expected-warning {{'*text' may be lost}}
  return 0;
}
int next(char *unique *acre_out text, int limit) {
  if (limit == 0)
    return 0;
  *text = malloc(8);
  return *text ? 1 : -1;
}
void empty(struct pair *borrowed p) {
  free(acre_take(&p->one));
  free(acre_take(&p->other));
}
bool both_emptied(struct pair *acre_out p) {
  p->one = malloc(8);
  p->other = malloc(8);
  if (p->one && p->other)
    return true;
  empty(p);
  return false;
}
