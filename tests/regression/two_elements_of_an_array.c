// A pointer to an element of an array was lost when something below another one was set.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct line {
  char *unique bytes;
  size_t size;
};
struct text {
  struct line *unique lines;
  struct line *unique *unique rows;
  size_t count;
};
bool append(struct line *borrowed l, const char *borrowed bytes);

bool join(struct text *borrowed t, size_t at) {
  struct line *first = &t->lines[at], *second = &t->lines[at + 1];
  char *unique more = acre_take(&second->bytes);
  bool is_good = !more || append(first, more);
  free(more);
  second->size = 0;
  return is_good;
}

// The array itself may go, and what hangs on an element.
size_t grow(struct text *borrowed t, size_t at, size_t room) {
  struct line *first = &t->lines[at];
  // expected-note@+1 {{lost here}}
  struct line *unique more = realloc(acre_take(&t->lines), room * sizeof *more);
  if (!more)
    abort();
  t->lines = more;    // expected-note {{lost here}}
  return first->size; // expected-error {{'first' is used after 't'}}
}
char bytes(struct text *borrowed t, size_t at) {
  struct line *first = &t->lines[at];
  const char *old = first->bytes;
  free(acre_take(&t->lines[0].bytes)); // expected-note {{lost here}}
  first->size = 0;
  return *old; // expected-error {{'old' is used after 't'}}
}
size_t rows(struct text *borrowed t, size_t row, size_t at) {
  struct line *first = &t->rows[row][at];
  free(acre_take(&t->rows[0][0].bytes));
  free(acre_take(&t->rows[0]));          // expected-note {{lost here}}
  return first->size;                    // expected-error {{'first' is used after 't'}}
}
