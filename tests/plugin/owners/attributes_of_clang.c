// Clang's own attributes mean what they say: what is made, ended, kept, only looked at, and what a
// result points into.
// RUN: %frontend -fsyntax-only -Wno-ignored-attributes -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct item;
void item_end(struct item *i);
void item_close(int how, struct item *i);
struct item *item_new(void) __attribute__((malloc(item_end)));
struct item *item_open(void) __attribute__((malloc(item_close, 2)));
struct item *item_plain(void);
char *text_make(size_t size) __attribute__((ownership_returns(malloc, 1)));
void text_take(char *text) __attribute__((ownership_takes(malloc, 1)));
void text_hold(char *text) __attribute__((ownership_holds(malloc, 1)));
const char *text_end(const char *text __attribute__((lifetimebound)), const char *how);
int text_count(const char *text __attribute__((noescape)));
void text_keep(const char *text);

void made(void) {
  struct item *unique one = item_new(), *unique other = item_open();
  item_end(one);
  item_close(1, other);
  char *unique text = text_make(8);
  text_take(text);
  text = text_make(9);
  text_hold(text);
}
void plain(void) {
  struct item *unique one = item_plain(); // expected-error {{a plain pointer cannot become unique}}
  item_end(one);
}
void ended_twice(void) {
  struct item *unique one = item_new();
  item_end(one);
  item_end(one); // expected-error {{'one' is used after it was consumed}}
}
void ended_with_another(void) {
  struct item *unique one = item_open();
  item_close(1, one);
  item_close(2, one); // expected-error {{'one' is used after it was consumed}}
}
void taken_twice(char *unique text) {
  text_take(text);
  free(text); // expected-error {{'text' is used after it was consumed}}
}
void held_and_freed(char *unique text) {
  text_hold(text);
  free(text); // expected-error {{'text' is used after it was consumed}}
}
void lost(void) {
  struct item *unique one = item_new();
  (void)one;
} // expected-warning {{'one' may be lost at the end of its scope}}

int looked_at(char *unique text) {
  int count = text_count(text);
  const char *end = text_end(text, "x");
  puts(end);
  free(text);
  return count;
}
void looked_at_late(char *unique text) {
  const char *end = text_end(text, "x");
  free(text);
  puts(end); // expected-error {{'end' is used after 'text'}}
}
void bound_to_the_other(char *unique text, char *unique how) {
  const char *end = text_end(text, how);
  // expected-error@-1 {{'how' is lent to 'text_end', which is not known to give it back}}
  free(how);
  puts(end);
  free(text);
}
void kept(char *unique text) {
  text_keep(text); // expected-error {{'text' is lent to 'text_keep'}}
  free(text);
}
