// Owners could not be given to a function with a format that has no attribute, although its body
// only prints its arguments.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void say(FILE *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(out, format, list);
  va_end(list);
}
static const char *last;
static void keep(int count, ...) {
  va_list list;
  va_start(list, count);
  while (count-- > 0)
    last = va_arg(list, const char *);
  va_end(list);
}
static void hand_on(const char *format, va_list list) { last = va_arg(list, const char *); }
static void by_another(const char *format, ...) {
  va_list list;
  va_start(list, format);
  hand_on(format, list);
  va_end(list);
}
void unseen(const char *format, ...);

void right(char *unique text) {
  say(stdout, "%s\n", text);
  free(text);
}
void kept(char *unique text) {
  keep(1, text); // expected-error {{what is borrowed from 'text' passed here could be used after}}
  free(text);
}
void handed_on(char *unique text) {
  by_another("%s", text); // expected-error {{'text' passed here could be used}}
  free(text);
}
void to_unseen(char *unique text) {
  unseen("%s", text); // expected-error {{'text' passed here could be used}}
  free(text);
}
