// What acre_take has left behind is null, and was followed without a word.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  int value;
};
char *unique make(void);

char taken(void) {
  char *unique p = make(), *unique q = acre_take(&p);
  char c = p[0]; // expected-error {{'p' is null here, and what it points to is used}}
  free(q);
  return c;
}
int found_null(struct node *unique n) {
  if (!n)
    return n->value; // expected-error {{'n' is null here}}
  free(acre_take(&n->next));
  free(n);
  return 0;
}

char perhaps(int way) {
  char *unique p = make(), *unique q = way ? acre_take(&p) : NULL;
  char c = p ? p[0] : 0;
  free(q);
  free(p);
  return c;
}
size_t of_its_type(void) {
  struct node *unique n = NULL;
  size_t size = sizeof *n;
  n = malloc(size);
  free(n);
  return size;
}
