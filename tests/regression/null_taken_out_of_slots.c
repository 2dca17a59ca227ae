// What was taken out of a slot that was null could have been anything, and a test of such a slot
// ruled out no way: owners were overwritten and lost that were not there.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char *unique first, *unique second;
};
char *unique make(void);
void give(char *unique text);
void change(struct pair *borrowed p);
void look(const struct pair *borrowed p);

void taken(void) {
  struct pair p = {0};
  look(&p);
  char *unique text = acre_take(&p.first);
  text = make();
  free(text);
}
void moved_along(void) {
  struct pair p = {.second = make()};
  p.first = acre_take(&p.first);
  p.first = acre_take(&p.second);
  free(acre_take(&p.first));
}
void tested(char *unique text) {
  struct pair p;
  memset(&p, 0, sizeof p);
  if (p.first)
    free(text);
  give(text);
}
void of_a_new_object(char *unique text) {
  struct pair *unique p = calloc(1, sizeof *p);
  if (p && p->second)
    free(text);
  free(p);
  free(text);
}

void filled(void) {
  struct pair p = {0};
  change(&p);
  char *unique text = acre_take(&p.first);
  text = make(); // expected-warning {{'text' may be overwritten}}
  free(text);
}
void tested_when_filled(char *unique text) {
  struct pair p = {0};
  change(&p);
  if (p.first)
    free(text);
  give(text); // expected-error {{'text' is used after}}
}
void of_one_of_several(char *unique text) {
  struct pair *unique p = calloc(2, sizeof *p);
  if (p) {
    p[1].first = NULL;
    free(acre_take(&p[1].second));
    if (p[0].second)
      free(text);
  }
  free(p);
  free(text); // expected-error {{'text' is used after}}
}
