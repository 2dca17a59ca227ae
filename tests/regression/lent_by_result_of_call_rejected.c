// What a function returns of what it was lent may hang on a unique pointer below that.  It was
// taken to point into the object itself, and outlived the call that freed it.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <string.h>

struct entry {
  struct entry *unique next;
  char *unique key, *unique value;
};
struct table {
  struct entry *unique bucket[8];
  int count;
};
static struct table cache;

const char *borrowed get(const struct table *borrowed t, const char *borrowed key);
static void clear(struct table *borrowed t) {
  for (int i = 0; i < 8; i++)
    acre_drop(acre_take(&t->bucket[i]));
}
static const struct entry *first(const struct table *t) { return t->bucket[0]; }
static int count(const struct table *t) { return t->count; }

void of_global(const char *key) {
  const char *found = get(&cache, key);
  clear(&cache);
  if (found) // expected-error {{'found' is used after}}
    puts(found);
}
void of_parameter(struct table *borrowed t, const char *key) {
  const char *found = get(t, key);
  clear(t);
  if (found) // expected-error {{'found' is used after}}
    puts(found);
}
void by_plain_function(struct table *borrowed t) {
  const struct entry *found = first(t);
  clear(t);
  if (found) // expected-error {{'found' is used after}}
    puts(found->key);
}

void before(struct table *borrowed t, const char *key) {
  const char *found = get(t, key);
  if (found)
    puts(found);
  clear(t);
}
int with_one_that_frees_nothing(struct table *borrowed t, const char *key) {
  const char *found = get(t, key);
  int n = count(t);
  return found ? n : 0;
}
