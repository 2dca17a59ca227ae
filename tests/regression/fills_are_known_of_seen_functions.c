// A function that swaps a value into a slot was taken to empty it, or to have put nothing there
// where it failed, and one that clears an object to keep its address: what callers lost was not
// told.  A place of a result was rejected whose owner had been consumed.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  char *unique text;
  size_t length, room;
};
struct session {
  char *unique user;
  int state;
};
int get(char *unique *acre_out slot);
void put(char *unique text);

static bool add(struct builder *borrowed b, const char *text) {
  char *unique more = malloc(b->length + strlen(text) + 1);
  if (!more)
    return false;
  if (b->text)
    strcpy(more, b->text);
  free(acre_swap(&b->text, more));
  return true;
}
static void set(struct builder *borrowed b, char *unique text) {
  free(acre_swap(&b->text, text));
}
static char *unique steal(struct builder *borrowed b) { return acre_take(&b->text); }

char *unique joined(const char *const *borrowed words, int n) {
  struct builder b = {0};
  for (int i = 0; i < n; i++)
    if (!add(&b, words[i])) {
      free(steal(&b));
      return NULL;
    }
  return steal(&b);
}
char *unique joined_or_lost(const char *const *borrowed words, int n) {
  struct builder b = {0};
  for (int i = 0; i < n; i++)
    if (!add(&b, words[i]))
      return NULL; // expected-warning {{'b.text' may be lost}}
  return steal(&b);
}
bool only_the_first(void) {
  struct builder b = {0};
  if (!add(&b, "first"))
    return false;
  free(steal(&b));
  return true;
}
void emptied_by_null(void) {
  struct builder b = {0};
  if (add(&b, "first"))
    set(&b, NULL);
}

static int begin(struct session *acre_out s, const char *user) {
  memset(s, 0, sizeof *s);
  s->user = strdup(user);
  return s->user ? 0 : -1;
}
int begun(const char *user) {
  struct session s;
  if (begin(&s, user) != 0)
    return -1;
  return s.state; // expected-warning {{'s.user' may be lost}}
}

int again(void) {
  char *unique text = NULL;
  if (get(&text) != 0)
    return -1;
  put(text);
  if (get(&text) != 0)
    return -1;
  free(text);
  return 0;
}
int again_and_late(void) {
  char *unique text = NULL;
  if (get(&text) != 0)
    return -1;
  put(text);
  if (get(&text) != 0)
    free(text); // expected-error {{'text' is used before}}
  else
    free(text);
  return 0;
}
