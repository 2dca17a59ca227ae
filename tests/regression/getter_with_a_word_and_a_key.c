// The word borrowed on the result of a getter tied it to the key, which its body never gives back:
// the key could not be freed before the result was used.  Without the word it could.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct section {
  char *unique name;
  struct section *unique next;
};
struct config {
  struct section *unique sections;
};

static struct section *borrowed find(struct config *borrowed c, const char *name) {
  for (struct section *s = c->sections; s; s = s->next)
    if (strcmp(s->name, name) == 0)
      return s;
  return NULL;
}
static struct section *borrowed find_by(struct config *borrowed c, const char *name) {
  return find(c, name);
}

int has(struct config *borrowed c, const char *borrowed text) {
  char *unique copy = strdup(text);
  if (!copy)
    return 0;
  struct section *s = find(c, copy), *again = find_by(c, copy);
  free(copy);
  return s && again && s->name[0] == 'x';
}

static char *borrowed longer(char *one, char *other) {
  return strlen(one) > strlen(other) ? one : other;
}
char wrong(char *borrowed text) {
  char *unique copy = strdup(text);
  if (!copy)
    return 0;
  char *found = longer(text, copy);
  free(copy);
  return *found; // expected-error {{'found' is used after 'copy', which it was borrowed from}}
}
