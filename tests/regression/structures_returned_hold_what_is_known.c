// A structure that a function returned was taken to own something in every slot.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
  char *unique path[4];
  char *unique key;
  char *unique name;
};
static struct cursor first(const char *text) {
  struct cursor c = {0};
  c.path[0] = strdup(text);
  c.name = strdup(text);
  return c;
}
void use(const char *text) {
  struct cursor c = first(text);
  free(acre_take(&c.path[0]));
  free(acre_take(&c.name));
}
void lose(const char *text) {
  struct cursor c = first(text);
  free(acre_take(&c.path[0]));
} // expected-warning {{'c.name' may be lost at the end of its scope}}
