// Where realloc fails, what was taken out of memory for it is lost: that was said of variables
// only.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct buffer {
  char *unique bytes;
  size_t size;
};

int by_variable(struct buffer *borrowed b) {
  // expected-warning@+1 {{'b->bytes' is lost where realloc returns null}}
  char *unique more = realloc(acre_take(&b->bytes), b->size * 2);
  if (!more)
    return -1;
  b->bytes = more;
  return 0;
}
int in_place(struct buffer *borrowed b) {
  // expected-warning@+1 {{'b->bytes' is lost where realloc returns null}}
  b->bytes = realloc(acre_take(&b->bytes), b->size * 2);
  return b->bytes ? 0 : -1;
}
int by_its_result(struct buffer *borrowed b) {
  // expected-warning@+1 {{'b->bytes' is lost where realloc returns null}}
  b->bytes = realloc(acre_take(&b->bytes), b->size * 2);
  return b->bytes != NULL;
}

void or_the_end(struct buffer *borrowed b) {
  b->bytes = realloc(acre_take(&b->bytes), b->size * 2);
  if (!b->bytes)
    abort();
}
void untested(struct buffer *borrowed b) { b->bytes = realloc(acre_take(&b->bytes), b->size *= 2); }
int put_back(struct buffer *borrowed b) {
  char *unique old = acre_take(&b->bytes);
  char *unique more = realloc(old, b->size * 2);
  if (!more) {
    b->bytes = old;
    return -1;
  }
  b->bytes = more;
  return 0;
}
int first(struct buffer *borrowed b) {
  if (b->bytes)
    return 0;
  b->bytes = realloc(NULL, 10);
  return b->bytes ? 0 : -1;
}
