// Clang's own attributes mean what they say: what is made, ended, kept and only looked at.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

char *text_make(size_t size) __attribute__((ownership_returns(malloc, 1)));
void text_take(char *text) __attribute__((ownership_takes(malloc, 1)));
void text_hold(char *text) __attribute__((ownership_holds(malloc, 1)));
int text_count(const char *text __attribute__((noescape)));
void text_keep(const char *text);

void made(void) {
  char *unique text = text_make(8);
  text_take(text);
  text = text_make(9);
  text_hold(text);
}
void taken_twice(char *unique text) {
  text_take(text);
  free(text); // expected-error {{'text' is used after it was consumed}}
}
void held_and_freed(char *unique text) {
  text_hold(text);
  free(text); // expected-error {{'text' is used after it was consumed}}
}

int looked_at(char *unique text) {
  int count = text_count(text);
  free(text);
  return count;
}
void kept(char *unique text) {
  text_keep(text); // expected-error {{'text' is lent to 'text_keep'}}
  free(text);
}
