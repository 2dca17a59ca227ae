// Elements that are moved by way of pointers to them were reported as overwritten, where by their
// numbers they were not.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique key, *unique value;
  unsigned long tick;
};
struct table {
  struct pair *unique pairs;
  size_t count;
};

void insert(struct table *borrowed t, size_t at, char *unique key, char *unique value) {
  for (size_t i = t->count; i > at; i--) {
    struct pair *to = &t->pairs[i], *from = &t->pairs[i - 1];
    to->key = acre_take(&from->key);
    to->value = acre_take(&from->value);
    to->tick = from->tick;
  }
  t->pairs[at].key = key;
  t->pairs[at].value = value;
  t->count++;
}
void insert_keys(struct table *borrowed t, size_t at, char *unique key) {
  for (size_t i = t->count; i > at; i--) {
    struct pair *to = &t->pairs[i], *from = &t->pairs[i - 1];
    to->key = acre_take(&from->key);
  }
  struct pair *fresh = &t->pairs[at];
  fresh->key = key;
  fresh->value = NULL; // expected-warning {{'fresh->value' may be overwritten}}
  t->count++;
}
void cut(struct table *borrowed t, unsigned long from) {
  size_t kept = 0;
  for (size_t i = 0; i < t->count; i++) {
    struct pair *each = &t->pairs[i];
    if (each->tick >= from) {
      free(acre_take(&each->key));
      free(acre_take(&each->value));
      continue;
    }
    struct pair *into = &t->pairs[kept++];
    if (into == each)
      continue;
    into->key = acre_take(&each->key);
    into->value = acre_take(&each->value);
    into->tick = each->tick;
  }
  t->count = kept;
}
void rotate(struct table *borrowed t) {
  char *unique first = acre_take(&t->pairs[0].key);
  for (size_t i = 1; i < t->count; i++)
    t->pairs[i - 1].key = acre_take(&t->pairs[i].key);
  struct pair *last = &t->pairs[t->count - 1];
  last->key = first;
}
void rotate_lost(struct table *borrowed t, char *unique key) {
  struct pair *last = &t->pairs[t->count - 1];
  last->key = key; // expected-warning {{'last->key' may be overwritten}}
}
unsigned long ended(struct table *borrowed t) {
  size_t kept = 0;
  struct pair *into = &t->pairs[kept++];
  free(acre_take(&t->pairs));
  return into->tick; // expected-error {{'into' is used after 't'}} expected-note@-1 {{lost here}}
}
