// A static function without a word on its result could not return what hangs on a 'borrowed'
// parameter, although all its callers see that it does.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *unique key, *unique value;
  struct entry *unique next;
};
struct table {
  struct entry *unique first;
};
void clear(struct table *borrowed t);

static struct entry *find(struct table *borrowed t, const char *key) {
  for (struct entry *e = t->first; e; e = e->next)
    if (strcmp(e->key, key) == 0)
      return e;
  return NULL;
}
size_t right(struct table *borrowed t) {
  const struct entry *e = find(t, "it");
  return e ? strlen(e->value) : 0;
}
size_t cleared(struct table *borrowed t) {
  const struct entry *e = find(t, "it");
  clear(t);
  return e ? strlen(e->value) : 0; // expected-error {{'e' is used after 't'}}
}
struct entry *kept(struct table *borrowed t) {
  return find(t, "it"); // expected-error {{what is borrowed from 't' returned could be used after}}
}

static struct entry *pointed(struct table *borrowed t) {
  return t->first; // expected-error {{what is borrowed from 't' returned could be used after}}
}
struct entry *(*const getter)(struct table *borrowed) = pointed;

static struct entry *other(struct table *borrowed t __attribute__((noescape))) {
  return t->first; // expected-error {{what is borrowed from 't' returned could be used after}}
}
int is_empty(struct table *borrowed t) { return other(t) == NULL; }
