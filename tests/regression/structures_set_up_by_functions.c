// A function that sets a structure up, without acre_out, was said to overwrite what it owns; one
// that only fills a slot of it is still.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
struct buffer {
  char *unique text;
  size_t size, room;
};
struct connection {
  struct buffer in, out;
  char *unique peer;
  int file;
};
char *unique make(void);

// Right: every member is set, and none was looked at before.
static void buffer_begin(struct buffer *b) {
  b->text = malloc(16);
  b->size = 0;
  b->room = 16;
}
void buffer_begin_borrowed(struct buffer *borrowed b) {
  b->text = make();
  b->size = b->room = 0;
}
static int connection_begin(struct connection *c, int file) {
  memset(c, 0, sizeof *c);
  c->file = file;
  c->peer = make();
  return c->peer ? 0 : -1;
}
static void connection_begin_by_parts(struct connection *c, int file) {
  buffer_begin(&c->in);
  buffer_begin(&c->out);
  c->file = file;
  c->peer = make();
}
int begins(int file) {
  struct connection c;
  if (connection_begin(&c, file))
    return -1;
  free(acre_take(&c.peer));
  connection_begin_by_parts(&c, file);
  free(acre_take(&c.in.text));
  free(acre_take(&c.out.text));
  free(acre_take(&c.peer));
  return 0;
}
// Callers give different places to two of them.
bool split(char *unique *acre_out key, char *unique *acre_out value) {
  *key = make();
  *value = NULL;
  if (!*key)
    return false;
  *value = make();
  return true;
}

// Wrong: one member is filled, or grows, or the whole is set after a look at it.
void buffer_fill(struct buffer *borrowed b) {
  b->text = make(); // expected-warning {{'b->text' may be overwritten}}
}
void buffer_set(struct buffer *borrowed b, size_t size) {
  if (b->text && b->room >= size)
    return;
  b->text = malloc(size); // expected-warning {{'b->text' may be overwritten}}
  b->size = 0;
  b->room = size;
}
void begun_twice(void) {
  struct buffer b;
  buffer_begin(&b);
  buffer_begin(&b); // expected-warning {{'b' may be overwritten}}
  free(acre_take(&b.text));
}
