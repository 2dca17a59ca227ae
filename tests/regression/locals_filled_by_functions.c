// What a function left in a local structure that was handed to it was lost in silence.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
struct buffer {
  char *unique text;
  size_t size;
};
struct pair {
  struct buffer one, other;
  int number;
};
bool cond(void);
char *unique make(void);
void look(const char *borrowed text);
int buffer_read(struct buffer *acre_out borrowed b);
void count(int *borrowed number);

static void fill(struct buffer *b) {
  free(acre_swap(&b->text, make()));
  b->size = 1;
}
static int begin(struct buffer *b) {
  b->text = make();
  b->size = 0;
  return b->text ? 0 : -1;
}
static void end(struct buffer *b) { free(acre_take(&b->text)); }
static size_t size_of(struct buffer *b) { return b->text ? b->size : 0; }

void begun_and_lost(void) {
  struct buffer b;
  begin(&b);
} // expected-warning {{'b.text' may be lost at the end of its scope}}
int lost_on_a_path(void) {
  struct buffer b;
  if (begin(&b))
    return -1;
  if (cond())
    return 1; // expected-warning {{'b.text' may be lost at the end of its scope}}
  end(&b);
  return 0;
}
int read_and_lost(void) {
  struct buffer b;
  if (buffer_read(&b))
    return -1;
  return (int)b.size; // expected-warning {{'b.text' may be lost at the end of its scope}}
}
void lost_beside_what_is_lent(void) {
  struct pair p = {0};
  begin(&p.one);
  begin(&p.other);
  count(&p.number);
  end(&p.one);
} // expected-warning {{'p.other.text' may be lost at the end of its scope}}
void lent_to_nobody(void) {
  char *unique none = NULL;
  look(none);
  look(strdup("x")); // expected-warning {{the result is unique and is dropped}}
}

int ended(void) {
  struct buffer b;
  int failed = begin(&b);
  if (failed)
    return -1;
  fill(&b);
  int size = (int)size_of(&b);
  end(&b);
  return size;
}
size_t lent_while_it_is_read(void) {
  struct buffer b;
  if (begin(&b))
    return 0;
  const char *text = b.text;
  size_t size = size_of(&b) + strlen(text);
  end(&b);
  return size;
}
int read_and_ended(void) {
  struct buffer b;
  if (buffer_read(&b) != 0)
    return -1;
  end(&b);
  return 0;
}
