// What a function of the same file puts into a slot that it is lent alone was lost without a
// warning: only of slots that it is lent in their structure was known what it does to them.
// RUN: %acre-cc -fsyntax-only -Xclang -verify=leak %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
  char *unique pattern;
  char *unique owner;
};

static bool set(char *unique *text, const char *value) {
  free(acre_swap(text, strdup(value)));
  return *text != NULL;
}

static void clear(char *unique *text) { free(acre_take(text)); }

static bool set_owner(struct wanted *borrowed w, const char *value) {
  return set(&w->owner, value);
}

#ifndef RIGHT
int directly(const char *value) {
  struct wanted w = {0};
  set(&w.pattern, value);
  return 0; // leak-warning {{'w.pattern' may be lost at the end of its scope}}
}

int by_another(const char *value) {
  struct wanted w = {0};
  set_owner(&w, value);
  clear(&w.pattern);
  return 0; // leak-warning {{'w.owner' may be lost at the end of its scope}}
}
#else
int directly(const char *value) {
  struct wanted w = {0};
  set(&w.pattern, value);
  clear(&w.pattern);
  return 0;
}

int by_another(const char *value) {
  struct wanted w = {0};
  set_owner(&w, value);
  clear(&w.owner);
  return 0;
}

int never_set(void) {
  struct wanted w = {0};
  clear(&w.owner);
  return 0;
}
#endif
