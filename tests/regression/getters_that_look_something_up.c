// A getter that is given a key could not lend what a global variable owns, since its result might
// hang on the key: noescape says that it does not.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *unique key, *unique value;
  struct entry *unique next;
};
struct entry *unique entries;
char *unique make(void);

const char *borrowed value_of(const char *key __attribute__((noescape))) {
  for (const struct entry *e = entries; e; e = e->next)
    if (strcmp(e->key, key) == 0)
      return e->value;
  return NULL;
}
const char *borrowed value_or(const char *key, const char *other __attribute__((noescape))) {
  for (const struct entry *e = entries; e; e = e->next)
    if (strcmp(e->key, other) == 0)
      return e->value; // expected-error {{could be used after its owner is gone}}
  return key;
}
const char *borrowed itself(struct entry *borrowed e __attribute__((noescape))) {
  return e->value; // expected-error {{what is borrowed from 'e' returned could be used after}}
}

const char *borrowed elsewhere(const char *key __attribute__((noescape)));
void unknown(void);
size_t right(void) {
  char *unique key = make();
  const char *value = elsewhere(key);
  free(key);
  return value ? strlen(value) : 0;
}
size_t late(void) {
  const char *value = elsewhere("it");
  unknown();
  return value ? strlen(value) : 0; // expected-error {{'value' is used after}}
}
