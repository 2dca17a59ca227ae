// A static function that returns what hangs on a global variable, found by a name, was rejected,
// with the word 'borrowed' or without; those who call it in its file know what it lends.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *unique key, *unique text;
};
static struct entry table[8];
static char *unique host;
static const char *kept;
char *unique make(void);

static const struct entry *find(const char *key) {
  for (int i = 0; i < 8; i++)
    if (table[i].key && strcmp(table[i].key, key) == 0)
      return &table[i];
  return NULL;
}
static const char *text_of(const char *key) {
  const struct entry *found = find(key);
  return found ? found->text : NULL;
}
static const char *borrowed host_for(const char *key) { return key[0] ? host : NULL; }
static const char *again(void) { return text_of("again"); }
static void reset(void) {
  free(acre_take(&host));
  for (int i = 0; i < 8; i++)
    free(acre_take(&table[i].text));
}

void used(void) {
  const char *text = text_of("used");
  if (text)
    puts(text);
  reset();
}
void not_of_its_argument(char *unique key) {
  const char *text = text_of(key);
  free(key);
  if (text)
    puts(text);
}
void used_late(void) {
  const char *text = again();
  reset();
  puts(text); // expected-error {{'text' is used after what it was borrowed from}}
}
void used_late_with_the_word(void) {
  const char *name = host_for("x");
  reset();
  puts(name); // expected-error {{'name' is used after what it was borrowed from}}
}
void stored(void) { kept = text_of("stored"); } // expected-error {{stored in memory could be used}}
const char *returned(void) { return again(); }  // expected-error {{returned could be used after}}
void freed(void) { free((char *unique)again()); } // expected-error {{freed could be used after}}

static const char *before(void);
void calls_before(void) { kept = before(); }
static const char *before(void) { return host; } // expected-error {{returned could be used after}}
static const char *itself(int n) {
  return n ? itself(n - 1) : host; // expected-error {{returned could be used after}}
}
static const char *pointed(void) { return host; } // expected-error {{returned could be used after}}
const char *(*const by_pointer)(void) = pointed;
void calls_itself(void) { puts(itself(1)); }
